import { useCallback, useMemo, useState, type ComponentType, type ReactNode } from 'react'
import { browser } from '../lib/browser.ts'
import { LoginContext, type Login, type LoginRequest } from '../lib/login-request.ts'
import { showToast } from '../lib/toasts.ts'

interface LoginDialogProps {
  readonly onSignedIn: (email: string) => void
  readonly onClose: () => void
}

const loadDialog = () => import('../features/auth/login-dialog.tsx')

/** Shows the login dialog. The dialog's code is loaded on first use. */
export function LoginHost({ children }: { children: ReactNode }) {
  const [request, setRequest] = useState<LoginRequest | null>(null)
  const [Dialog, setDialog] = useState<ComponentType<LoginDialogProps> | null>(null)

  const open = useCallback((next: LoginRequest = {}) => {
    setRequest(next)
    loadDialog().then(
      (module) => setDialog(() => module.LoginDialog),
      () => {
        setRequest(null)
        next.onGivenUp?.()
        showToast(
          'error',
          'The login form could not be loaded. Check your connection and try again.',
        )
      },
    )
  }, [])

  const login = useMemo<Login>(
    () => ({ open, prepare: () => void loadDialog().catch(() => undefined) }),
    [open],
  )

  return (
    <LoginContext value={login}>
      {children}
      {request && Dialog && (
        <Dialog
          onSignedIn={(email) => {
            setRequest(null)
            if (request.onSignedIn) request.onSignedIn(email)
            else browser.reload()
          }}
          onClose={() => {
            setRequest(null)
            request.onGivenUp?.()
          }}
        />
      )}
    </LoginContext>
  )
}
