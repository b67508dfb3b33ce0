import { useEffect, useState, type FormEvent } from 'react'
import { completeSignupRequest, maxResends } from '#contracts/auth'
import { readableAddress } from '#contracts/readable-address'
import { useCompleteSignupMutation } from '../../api/auth-api.ts'
import { useLazyGetSessionQuery } from '../../api/session-api.ts'
import { draftOf, forgetDraft, keepDraft } from '../../lib/profile-draft.ts'
import { emptyProfile, isComplete, useProfileForm } from '../../lib/profile-form.ts'
import { rememberCustomer } from '../../lib/session-values.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorBox } from '../../ui/error-box.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ProfileFields } from '../../ui/profile-fields.tsx'
import { Terms } from './terms.tsx'
import { useCodeRequest, type CodeDelivery } from './use-code-request.ts'

interface ProfileStepProps {
  readonly titleId: string
  readonly email: string
  /** True if the code was checked before: saving then completes the sign-in without a new code. */
  readonly signedIn: boolean
  readonly onUseAnotherEmail: () => void
  readonly onCodeSent: (delivery: CodeDelivery) => void
  readonly onFinished: () => void
}

export function ProfileStep({
  titleId,
  email,
  signedIn,
  onUseAnotherEmail,
  onCodeSent,
  onFinished,
}: ProfileStepProps) {
  // Before the code, anyone can enter the address: what was typed for it is not shown.
  const [draft] = useState(() => (signedIn ? draftOf(email) : null))
  const form = useProfileForm({ ...emptyProfile, ...draft })
  const [accepted, setAccepted] = useState(false)
  const [busy, setBusy] = useState(false)
  const [completeSignup] = useCompleteSignupMutation()
  const [loadSession] = useLazyGetSessionQuery()
  const requestCode = useCodeRequest()

  const { ref, fields } = form
  useEffect(() => keepDraft(email, fields), [email, fields])
  useEffect(() => ref.current?.querySelector('input')?.focus(), [ref])

  async function complete(event: FormEvent) {
    event.preventDefault()
    const request = form.check(completeSignupRequest, {
      email,
      has_accepted_terms: accepted,
      // The form showed no saved profile, so it replaces none that another window saved.
      ...(signedIn ? { profile_version: null } : {}),
    })
    if (request === null) return
    setBusy(true)
    const { data, error } = await completeSignup(request)
    if (!data) {
      setBusy(false)
      return form.refuse(error, 'Failed to complete signup')
    }
    if (data.isVerified) {
      forgetDraft(email)
      const { data: session } = await loadSession()
      rememberCustomer({
        email: request.email,
        isVerified: true,
        isCustomer: session?.isCustomer ?? false,
        businessName: request.company_name,
      })
      return onFinished()
    }
    const code = await requestCode(request.email, 'Failed to send OTP')
    // The profile is saved. If sending the code failed, the next step offers to resend it.
    onCodeSent(
      'delivery' in code
        ? code.delivery
        : {
            userId: data.userId,
            resendsLeft: maxResends,
            resendAt: 0,
            problem: code.problem,
            inboxUrl: null,
          },
    )
  }

  return (
    <form ref={ref} noValidate onSubmit={(event) => void complete(event)}>
      <h2 id={titleId}>Complete Your Profile</h2>
      <p className="login-lead">This appears on your reminders and receipts.</p>
      {draft !== null && form.problem === null && (
        <Notice>We kept what you typed before. Check it, and accept the terms.</Notice>
      )}
      <ErrorBox text={form.problem} />
      <ProfileFields form={form} />
      <Terms accepted={accepted} onAccept={setAccepted} />
      <Button
        type="submit"
        size="md"
        wide
        busy={busy}
        disabled={!isComplete(form.fields) || !accepted}
      >
        Complete Signup
      </Button>
      {!signedIn && (
        <p className="login-switch">
          You sign up as {readableAddress(email)}.{' '}
          <Button look="link" onClick={onUseAnotherEmail}>
            Use another e-mail
          </Button>
        </p>
      )}
    </form>
  )
}
