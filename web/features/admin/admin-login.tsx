import { lazy, Suspense, useId, useState, type FormEvent } from 'react'
import { useAdminLoginMutation } from '../../api/admin-api.ts'
import { errorText, isApiError } from '../../lib/http.ts'
import { rememberAdmin, sessionEndedText } from '../../lib/session-values.ts'
import { useStored } from '../../lib/stored-values.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorBox } from '../../ui/error-box.tsx'
import { TextField } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import '../../ui/panel.css'
import './admin-login.css'

/** Only where administrators are named. */
const NamedLogin = lazy(async () => ({ default: (await import('./named-login.tsx')).NamedLogin }))

/**
 * The administrator's login, in the place of the content that needs it. The address stays, so that
 * the same content follows the sign-in.
 */
export function AdminLogin() {
  const headingId = useId()
  const hasEnded = useStored('adminSessionEnded') !== null
  const [password, setPassword] = useState('')
  const [isNamed, setIsNamed] = useState(false)
  const [login, { isLoading, error }] = useAdminLoginMutation()

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    const { data } = await login({ password })
    if (data === undefined) return
    if (data.isAdmin) rememberAdmin()
    else setIsNamed(true)
  }

  if (isNamed)
    return (
      <div className="admin-login">
        <Suspense>
          <NamedLogin password={password} onOtherPassword={() => setIsNamed(false)} />
        </Suspense>
      </div>
    )
  return (
    <div className="admin-login">
      <form className="panel" aria-labelledby={headingId} onSubmit={(event) => void submit(event)}>
        <h1 id={headingId}>Admin Login</h1>
        {hasEnded && error === undefined && <Notice>{sessionEndedText}</Notice>}
        <ErrorBox text={error === undefined ? null : loginError(error)} />
        <TextField
          label="Password"
          type="password"
          autoComplete="current-password"
          autoFocus
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        <Button type="submit" size="md" wide busy={isLoading} disabled={password === ''}>
          Login
        </Button>
      </form>
    </div>
  )
}

const loginError = (error: unknown) =>
  errorText(error, isApiError(error) && error.status === 401 ? 'Invalid password' : 'Login failed')
