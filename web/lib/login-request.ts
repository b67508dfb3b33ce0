import { createContext, useContext } from 'react'

export interface LoginRequest {
  /** The sentence above the first field, such as the reason for the login. */
  readonly notice?: string
  /**
   * A signed-in customer's address: the dialog starts at the company profile, which the account
   * lacks.
   */
  readonly profileOf?: string
  /** Runs after the sign-in, instead of a reload of the page. */
  readonly onSignedIn?: (email: string) => void
  /**
   * Called if the dialog is closed without a sign-in. A sign-in in another tab also closes the
   * dialog.
   */
  readonly onGivenUp?: () => void
}

export interface Login {
  open(request?: LoginRequest): void
  /** Closes the dialog without calling `onGivenUp`. */
  close(): void
  /** Preloads the dialog's code when its button has the pointer or the focus. */
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
