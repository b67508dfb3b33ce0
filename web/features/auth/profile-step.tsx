import { useEffect, useState, type FormEvent } from 'react'
import { completeSignupRequest, maxResends } from '#contracts/auth'
import { readableAddress } from '#contracts/readable-address'
import { useCompleteSignupMutation } from '../../api/auth-api.ts'
import { useLazyGetSessionQuery } from '../../api/session-api.ts'
import { isApiError } from '../../lib/http.ts'
import { draftOf, forgetDraft, keepDraft } from '../../lib/profile-draft.ts'
import {
  isComplete,
  useProfileForm,
  type ProfileFields as ProfileFieldTexts,
} from '../../lib/profile-form.ts'
import { rememberCustomer } from '../../lib/session-values.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorBox } from '../../ui/error-box.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ProfileFields } from '../../ui/profile-fields.tsx'
import { Terms } from './terms.tsx'
import { useCodeRequest, type CodeDelivery } from './use-code-request.ts'

const sessionEnded =
  'Your session has ended, so nothing was saved. We keep what you typed: enter a new code to continue.'

interface ProfileStepProps {
  readonly titleId: string
  readonly email: string
  /** True if the code was checked before: saving then completes the sign-in without a new code. */
  readonly signedIn: boolean
  /** The fields as they were typed in this dialog before. */
  readonly typed: ProfileFieldTexts
  readonly onTyped: (fields: ProfileFieldTexts) => void
  readonly onUseAnotherEmail: () => void
  readonly onCodeSent: (delivery: CodeDelivery) => void
  readonly onFinished: () => void
}

export function ProfileStep({
  titleId,
  email,
  signedIn,
  typed,
  onTyped,
  onUseAnotherEmail,
  onCodeSent,
  onFinished,
}: ProfileStepProps) {
  // Before the code, anyone can enter the address: what was typed for it is not shown.
  const [draft] = useState(() => (signedIn ? draftOf(email) : null))
  const form = useProfileForm({ ...typed, ...draft })
  const [accepted, setAccepted] = useState(false)
  const [busy, setBusy] = useState(false)
  const [completeSignup] = useCompleteSignupMutation()
  const [loadSession] = useLazyGetSessionQuery()
  const requestCode = useCodeRequest()

  const { ref, fields } = form
  useEffect(() => keepDraft(email, fields), [email, fields])
  useEffect(() => onTyped(fields), [onTyped, fields])
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
      // The account is verified: only to a caller without its session is the address taken.
      if (signedIn && isApiError(error) && error.field === 'email') return renewSession(request)
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

  /** A new code leads back to this form, which then shows the kept fields. */
  async function renewSession({ email: address }: { readonly email: string }) {
    const code = await requestCode(address, 'Failed to send OTP')
    setBusy(false)
    if ('delivery' in code) return onCodeSent({ ...code.delivery, problem: sessionEnded })
    form.explain(form.fields, `${sessionEnded} ${code.problem}`, {})
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
