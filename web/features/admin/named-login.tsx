import { useState } from 'react'
import { useAdminCodeMutation, useAdminLoginMutation } from '../../api/admin-api.ts'
import { rememberAdmin } from '../../lib/session-values.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { LoginStep } from './login-step.tsx'

interface NamedLoginProps {
  /** The password that the server has accepted. It is sent again with the address. */
  readonly password: string
  readonly onOtherPassword: () => void
}

/** The sign-in of a named administrator after the password: the address, then the mailed code. */
export function NamedLogin({ password, onOtherPassword }: NamedLoginProps) {
  const [email, setEmail] = useState('')
  const [code, setCode] = useState('')
  const [isMailed, setIsMailed] = useState(false)
  const [requestCode, request] = useAdminLoginMutation()
  const [sendCode, sending] = useAdminCodeMutation()

  async function submitEmail(): Promise<void> {
    const { data } = await requestCode({ password, email })
    if (data === undefined) return
    if (data.isAdmin) return rememberAdmin()
    setCode('')
    sending.reset()
    setIsMailed(true)
  }

  async function submitCode(): Promise<void> {
    const { data } = await sendCode({ email, code })
    if (data !== undefined) rememberAdmin()
  }

  // Each step has a key: its field is a new one, which gets the focus.
  if (!isMailed)
    return (
      <LoginStep
        key="email"
        title="Your e-mail"
        field={{ label: 'E-mail address', type: 'email', autoComplete: 'username' }}
        value={email}
        onChange={setEmail}
        action="Send code"
        isBusy={request.isLoading}
        onSubmit={submitEmail}
        error={request.error}
      >
        <Button type="button" size="md" look="quiet" wide onClick={onOtherPassword}>
          Back
        </Button>
      </LoginStep>
    )

  return (
    <LoginStep
      key="code"
      title="Enter the code"
      field={{ label: 'Code', inputMode: 'numeric', autoComplete: 'one-time-code' }}
      value={code}
      onChange={setCode}
      action="Login"
      isBusy={sending.isLoading}
      onSubmit={submitCode}
      error={sending.error}
      notice={
        <Notice>
          If {email} belongs to an administrator, a code of six digits is on its way. Enter it in
          this browser.
        </Notice>
      }
    >
      <Button type="button" size="md" look="quiet" wide onClick={() => setIsMailed(false)}>
        Another address, or a new code
      </Button>
    </LoginStep>
  )
}
