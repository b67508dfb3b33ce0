import { useCallback } from 'react'
import { useLogin } from '../lib/login-request.ts'
import { sessionEndedText } from '../lib/session-values.ts'
import { Button } from './button.tsx'
import { useLoginOverPage } from './login-over-page.ts'
import { PageHead } from './page-head.tsx'

/**
 * Replaces the content of a page whose customer's session has ended, and opens the login over it.
 * The address stays, so that the page shows the same content after the sign-in. If the customer
 * closes the login, the page stays too: it may keep a form in memory.
 */
export function SessionEnded({ title }: { title: string }) {
  const login = useLogin()

  const logIn = useCallback(() => {
    login.open({
      notice: sessionEndedText,
      // The stored e-mail brings the page's content back.
      onSignedIn: () => undefined,
    })
  }, [login])

  useLoginOverPage(login, logIn)

  return (
    <PageHead
      title={title}
      note={sessionEndedText}
      actions={
        <Button look="line" onClick={logIn}>
          Log in
        </Button>
      }
    />
  )
}
