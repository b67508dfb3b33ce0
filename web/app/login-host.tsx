import {
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  type ComponentType,
  type ReactNode,
} from 'react'
import { browser } from '../lib/browser.ts'
import { LoginContext, type Login, type LoginRequest } from '../lib/login-request.ts'
import { showToast } from '../lib/toasts.ts'

interface LoginDialogProps {
  readonly notice: string | null
  readonly profileOf: string | null
  readonly onSignedIn: (email: string) => void
  readonly onClose: () => void
}

const loadDialog = () => import('../features/auth/login-dialog.tsx')

/** Shows the login dialog. The dialog's code is loaded on first use. */
export function LoginHost({ children }: { children: ReactNode }) {
  const [request, setRequest] = useState<LoginRequest | null>(null)
  const [Dialog, setDialog] = useState<ComponentType<LoginDialogProps> | null>(null)
  /** The same request, for calls that return after the dialog was closed. */
  const open = useRef<LoginRequest | null>(null)

  const show = useCallback((next: LoginRequest | null) => {
    open.current = next
    setRequest(next)
  }, [])

  const login = useMemo<Login>(
    () => ({
      open(next = {}) {
        show(next)
        loadDialog().then(
          (module) => setDialog(() => module.LoginDialog),
          () => {
            show(null)
            next.onGivenUp?.()
            showToast(
              'error',
              'The login form could not be loaded. Check your connection and try again.',
            )
          },
        )
      },
      close: () => show(null),
      // `open` loads it again, and reports a failure.
      prepare: () => void loadDialog().catch(() => undefined),
    }),
    [show],
  )

  useEffect(() => {
    if (request === null) return
    // The customer signed in in another tab, for example with the code that this dialog waits for.
    const closeAfterSignIn = ({ key, newValue }: StorageEvent) => {
      if (key !== 'userEmail' || newValue === null) return
      show(null)
      request.onGivenUp?.()
      if (request.onSignedIn === undefined) browser.reload()
    }
    window.addEventListener('storage', closeAfterSignIn)
    return () => window.removeEventListener('storage', closeAfterSignIn)
  }, [request, show])

  return (
    <LoginContext value={login}>
      {children}
      {request && Dialog && (
        <Dialog
          notice={request.notice ?? null}
          profileOf={request.profileOf ?? null}
          onSignedIn={(email) => {
            // The customer closed the dialog while the server checked the code.
            if (open.current !== request) return
            show(null)
            if (request.onSignedIn) request.onSignedIn(email)
            else browser.reload()
          }}
          onClose={() => {
            show(null)
            request.onGivenUp?.()
          }}
        />
      )}
    </LoginContext>
  )
}
