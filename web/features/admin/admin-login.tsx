import { lazy, Suspense, useState } from 'react'
import { useAdminLoginMutation } from '../../api/admin-api.ts'
import { isApiError } from '../../lib/http.ts'
import { rememberAdmin, sessionEndedText } from '../../lib/session-values.ts'
import { useStored } from '../../lib/stored-values.ts'
import { Notice } from '../../ui/notice.tsx'
import { LoginStep } from './login-step.tsx'

/** Only where administrators are named. */
const NamedLogin = lazy(async () => ({ default: (await import('./named-login.tsx')).NamedLogin }))

const PasskeyLogin = lazy(async () => ({
  default: (await import('./passkeys/passkey-login.tsx')).PasskeyLogin,
}))

/**
 * The administrator's login, in the place of the content that needs it. The address stays, so that
 * the same content follows the sign-in.
 */
export function AdminLogin() {
  const hasEnded = useStored('adminSessionEnded') !== null
  const [password, setPassword] = useState('')
  const [isNamed, setIsNamed] = useState(false)
  const [login, { isLoading, error }] = useAdminLoginMutation()

  async function submit(): Promise<void> {
    const { data } = await login({ password })
    if (data === undefined) return
    if (data.isAdmin) rememberAdmin()
    else setIsNamed(true)
  }

  return (
    <div className="admin-login">
      {isNamed ? (
        <Suspense>
          <NamedLogin password={password} onOtherPassword={() => setIsNamed(false)} />
        </Suspense>
      ) : (
        <LoginStep
          title="Admin Login"
          field={{ label: 'Password', type: 'password', autoComplete: 'current-password' }}
          value={password}
          onChange={setPassword}
          action="Login"
          isBusy={isLoading}
          onSubmit={submit}
          error={error}
          failure={isWrong(error) ? 'Invalid password' : 'Login failed'}
          notice={hasEnded && error === undefined && <Notice>{sessionEndedText}</Notice>}
        >
          <Suspense>
            <PasskeyLogin />
          </Suspense>
        </LoginStep>
      )}
    </div>
  )
}

const isWrong = (error: unknown) => isApiError(error) && error.status === 401
