import { useId, useState, type FormEvent } from 'react'
import { useAdminLoginMutation } from '../../api/admin-api.ts'
import { errorText, isApiError } from '../../lib/http.ts'
import { writeStored } from '../../lib/stored-values.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorBox } from '../../ui/error-box.tsx'
import { TextField } from '../../ui/field.tsx'
import { TopBar } from '../../ui/top-bar.tsx'

export function AdminLogin() {
  const headingId = useId()
  const [password, setPassword] = useState('')
  const [login, { isLoading, error }] = useAdminLoginMutation()

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault()
    const result = await login({ password })
    if (result.data) writeStored('adminAuthenticated', 'true')
  }

  return (
    <>
      <TopBar width="admin" label="Admin" />
      <main id="main" className="admin admin-login" tabIndex={-1}>
        <form
          className="panel"
          aria-labelledby={headingId}
          onSubmit={(event) => void submit(event)}
        >
          <h1 id={headingId}>Admin Login</h1>
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
      </main>
    </>
  )
}

const loginError = (error: unknown) =>
  errorText(error, isApiError(error) && error.status === 401 ? 'Invalid password' : 'Login failed')
