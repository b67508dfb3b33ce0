import { createContext, useContext } from 'react'

export interface LoginRequest {
  /** What goes on once signed in, in place of the page's reload. */
  readonly onSignedIn?: (email: string) => void
  /** The dialog was closed without a sign-in. */
  readonly onGivenUp?: () => void
}

export interface Login {
  open(request?: LoginRequest): void
  /** Fetches the dialog's code early: the pointer or the focus is on what opens it. */
  prepare(): void
}

export const LoginContext = createContext<Login | null>(null)

/** Opens the login dialog from any page; the layout around the routes shows it. */
export function useLogin(): Login {
  const login = useContext(LoginContext)
  if (!login)
    throw new Error('useLogin needs the LoginHost around it: see web/app/root-layout.tsx.')
  return login
}
