import { useEffect } from 'react'
import type { Login } from '../lib/login-request.ts'
import { readStored } from '../lib/stored-values.ts'

/**
 * Opens the login over the page that calls it, and closes it with the page. `logIn` opens the login
 * and has to be stable, such as a callback of `useCallback`.
 */
export function useLoginOverPage(login: Login, logIn: () => void): void {
  useEffect(() => {
    logIn()
    return () => {
      // After Back. A sign-in also removes this content, and its dialog may still show the profile.
      if (readStored('userEmail') === null) login.close()
    }
  }, [login, logIn])
}
