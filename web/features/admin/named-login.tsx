import { useId, useState, type FormEvent } from 'react'
import { useAdminCodeMutation, useAdminLoginMutation } from '../../api/admin-api.ts'
import { errorText } from '../../lib/http.ts'
import { rememberAdmin } from '../../lib/session-values.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorBox } from '../../ui/error-box.tsx'
import { TextField } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'

interface NamedLoginProps {
  /** The password that the server has accepted. It is sent again with the address. */
  readonly password: string
  readonly onOtherPassword: () => void
}

/** The sign-in of a named administrator after the password: the address, then the mailed code. */
export function NamedLogin({ password, onOtherPassword }: NamedLoginProps) {
  const headingId = useId()
  const [email, setEmail] = useState('')
  const [code, setCode] = useState('')
  const [isMailed, setIsMailed] = useState(false)
  const [requestCode, request] = useAdminLoginMutation()
  const [sendCode, sending] = useAdminCodeMutation()

  async function submitEmail(event: FormEvent): Promise<void> {
    event.preventDefault()
    const { data } = await requestCode({ password, email })
    if (data === undefined) return
    if (data.isAdmin) return rememberAdmin()
    setCode('')
    sending.reset()
    setIsMailed(true)
  }

  async function submitCode(event: FormEvent): Promise<void> {
    event.preventDefault()
    const { data } = await sendCode({ email, code })
    if (data !== undefined) rememberAdmin()
  }

  if (!isMailed)
    return (
      <form
        className="panel"
        aria-labelledby={headingId}
        onSubmit={(event) => void submitEmail(event)}
      >
        <h1 id={headingId}>Your e-mail</h1>
        <ErrorBox text={textOf(request.error)} />
        <TextField
          label="E-mail address"
          type="email"
          autoComplete="username"
          autoFocus
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <Button type="submit" size="md" wide busy={request.isLoading} disabled={email === ''}>
          Send code
        </Button>
        <Button type="button" size="md" look="quiet" wide onClick={onOtherPassword}>
          Back
        </Button>
      </form>
    )

  return (
    <form
      className="panel"
      aria-labelledby={headingId}
      onSubmit={(event) => void submitCode(event)}
    >
      <h1 id={headingId}>Enter the code</h1>
      <Notice>
        If {email} belongs to an administrator, a code of six digits is on its way. Enter it in this
        browser.
      </Notice>
      <ErrorBox text={textOf(sending.error)} />
      <TextField
        label="Code"
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus
        value={code}
        onChange={(event) => setCode(event.target.value)}
      />
      <Button type="submit" size="md" wide busy={sending.isLoading} disabled={code === ''}>
        Login
      </Button>
      <Button type="button" size="md" look="quiet" wide onClick={() => setIsMailed(false)}>
        Another address, or a new code
      </Button>
    </form>
  )
}

const textOf = (error: unknown) => (error === undefined ? null : errorText(error, 'Login failed'))
