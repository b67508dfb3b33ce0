import { useState, type FormEvent } from 'react'
import { emailAddress } from '#contracts/email-address'
import { useCheckUserMutation } from '../../api/auth-api.ts'
import { errorText } from '../../lib/http.ts'
import { draftOf } from '../../lib/profile-draft.ts'
import { useFirstFieldFocus } from '../../lib/use-first-field-focus.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorBox } from '../../ui/error-box.tsx'
import { TextField } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useCodeRequest, type CodeDelivery } from './use-code-request.ts'

interface EmailStepProps {
  readonly titleId: string
  /** The sentence above the field, or null. */
  readonly notice: string | null
  readonly email: string
  readonly onEmail: (email: string) => void
  readonly onNewUser: (email: string) => void
  readonly onCodeSent: (email: string, delivery: CodeDelivery) => void
}

export function EmailStep({
  titleId,
  notice,
  email,
  onEmail,
  onNewUser,
  onCodeSent,
}: EmailStepProps) {
  const [problem, setProblem] = useState<string | null>(null)
  const [invalid, setInvalid] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const [checkUser] = useCheckUserMutation()
  const requestCode = useCodeRequest()
  const { form, focus } = useFirstFieldFocus()

  async function sendCode(event: FormEvent) {
    event.preventDefault()
    setProblem(null)
    setInvalid(null)
    const entered = emailAddress.safeParse(email)
    if (!entered.success) {
      focus()
      return setInvalid(entered.error.issues[0]?.message ?? 'Enter a valid e-mail address.')
    }
    setBusy(true)
    const { data, error } = await checkUser({ email: entered.data })
    if (!data) {
      setProblem(errorText(error, 'Failed to process request'))
    } else if (data.isNewUser && draftOf(entered.data) === null) {
      return onNewUser(entered.data)
    } else {
      // A profile that was typed here before comes back after the code of its address.
      const request = await requestCode(entered.data, 'Failed to send verification code')
      if ('delivery' in request) return onCodeSent(entered.data, request.delivery)
      setProblem(request.problem)
    }
    setBusy(false)
    focus()
  }

  return (
    <form ref={form} noValidate onSubmit={(event) => void sendCode(event)}>
      <h2 id={titleId}>Log in or sign up</h2>
      <p className="login-lead">We send a six-digit code to your e-mail. There is no password.</p>
      {notice !== null && problem === null && <Notice>{notice}</Notice>}
      <ErrorBox text={problem} />
      <TextField
        label="Email"
        type="email"
        name="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}

        value={email}
        error={invalid ?? undefined}
        onChange={(event) => onEmail(event.target.value)}
      />
      <Button type="submit" size="md" wide busy={busy} disabled={email.trim() === ''}>
        Send Code
      </Button>
    </form>
  )
}
