import { useId, useState, type FormEvent } from 'react'
import { readableAddress } from '#contracts/readable-address'
import { useVerifyOtpMutation } from '../../api/auth-api.ts'
import { useLazyGetSessionQuery } from '../../api/session-api.ts'
import { errorText, isApiError, isRefusal } from '../../lib/http.ts'
import { forgetDraft } from '../../lib/profile-draft.ts'
import { rememberCustomer } from '../../lib/session-values.ts'
import { useFirstFieldFocus } from '../../lib/use-first-field-focus.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorBox } from '../../ui/error-box.tsx'
import { SandboxCode } from '../../ui/sandbox-line.tsx'
import { CodeField } from './code-field.tsx'
import { Resend, useSecondsUntil } from './resend.tsx'
import { useCodeRequest, type CodeDelivery } from './use-code-request.ts'

const noCode = 'The text has no single code of six digits. Copy the code alone, or type it.'
const noResendsLeft = 'Maximum resend attempts reached. Please try again later.'

interface CodeStepProps {
  readonly titleId: string
  readonly email: string
  readonly delivery: CodeDelivery
  readonly onUseAnotherEmail: () => void
  /** Called after a sign-in if a required field of the company profile is missing. */
  readonly onProfileNeeded: () => void
  readonly onFinished: () => void
}

export function CodeStep({
  titleId,
  email,
  delivery: first,
  onUseAnotherEmail,
  onProfileNeeded,
  onFinished,
}: CodeStepProps) {
  const [code, setCode] = useState('')
  const [delivery, setDelivery] = useState(first)
  const [problem, setProblem] = useState(first.problem)
  /** True from the refusal of a code until the next input. */
  const [isRefused, setRefused] = useState(false)
  const [busy, setBusy] = useState<'verify' | 'resend' | null>(null)
  const [verifyOtp] = useVerifyOtpMutation()
  const [loadSession] = useLazyGetSessionQuery()
  const requestCode = useCodeRequest()
  const { form, focus } = useFirstFieldFocus()
  const problemId = useId()
  const readable = readableAddress(email)
  const outOfResends = useSecondsUntil(delivery.resendAt) === 0 && delivery.resendsLeft === 0

  function change(next: string) {
    setCode(next)
    setRefused(false)
    if (problem === noCode) setProblem(null)
  }

  async function verify(event: FormEvent) {
    event.preventDefault()
    if (code === '' || busy) return
    setProblem(null)
    setBusy('verify')
    const { data, error } = await verifyOtp({ userId: delivery.userId, otp: code })
    if (!data?.isVerified) {
      setBusy(null)
      focus()
      const refused = !isApiError(error) || isRefusal(error)
      setProblem(errorText(error, refused ? 'Invalid OTP' : 'Failed to verify OTP'))
      // A full field accepts no further digit.
      if (refused) change('')
      return setRefused(refused)
    }
    // If the business name cannot be read, the sign-in still succeeds: only a later page shows the
    // name.
    const { data: session } = await loadSession()
    rememberCustomer({
      email,
      isVerified: data.isVerified,
      isCustomer: data.isCustomer,
      businessName: session?.businessName ?? null,
    })
    if (data.needsProfileUpdate) return onProfileNeeded()
    // The profile that was typed before the code is saved.
    forgetDraft(email)
    onFinished()
  }

  async function resend() {
    setProblem(null)
    setBusy('resend')
    const request = await requestCode(email, 'Failed to resend OTP')
    setBusy(null)
    focus()
    if ('problem' in request) {
      // Requests in another tab count too, so this tab may not know that none is left.
      if (request.problem === noResendsLeft) return setDelivery({ ...delivery, resendsLeft: 0 })
      return setProblem(request.problem)
    }
    change('')
    setDelivery(request.delivery)
  }

  return (
    <form ref={form} noValidate onSubmit={(event) => void verify(event)}>
      <h2 id={titleId}>Enter the code</h2>
      <p className="login-lead">
        {delivery.problem === null ? `We sent it to ${readable}.` : `It goes to ${readable}.`}
      </p>
      <ErrorBox id={problemId} text={problem ?? (outOfResends ? noResendsLeft : null)} />
      <CodeField
        value={code}
        invalid={isRefused}
        describedBy={problemId}
        onChange={change}
        onNoCode={() => setProblem(noCode)}
      />
      <Button type="submit" size="md" wide busy={busy === 'verify'} disabled={code === ''}>
        Verify
      </Button>
      {!outOfResends && (
        <Resend
          resendAt={delivery.resendAt}
          busy={busy === 'resend'}
          onResend={() => void resend()}
        />
      )}
      <SandboxCode inboxUrl={delivery.inboxUrl} />
      <p className="login-switch">
        Wrong address?{' '}
        <Button look="link" onClick={onUseAnotherEmail}>
          Use another e-mail
        </Button>
      </p>
    </form>
  )
}
