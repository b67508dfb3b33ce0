import { useCallback, type ReactNode } from 'react'
import { useLogin } from '../lib/login-request.ts'
import { sessionEndedText } from '../lib/session-values.ts'
import { useStored } from '../lib/stored-values.ts'
import { Button } from './button.tsx'
import { useLoginOverPage } from './login-over-page.ts'
import { MessagePanel } from './message-panel.tsx'
import { PageHead } from './page-head.tsx'

interface LogInFirstProps {
  readonly title: string
  /** What the page shows, within a sentence: 'your receipt'. */
  readonly goal: string
  /** Other ways to continue, beside the button. */
  readonly children?: ReactNode
}

/**
 * Opens the login over the page of a link, at the page's own address: no address is passed on, so
 * none can be forged. The stored e-mail of the sign-in makes the page continue. If the customer
 * closes the login, the page stays, so that the link is not lost.
 */
export function LogInFirst({ title, goal, children }: LogInFirstProps) {
  const login = useLogin()
  const hasEnded = useStored('customerSessionEnded') !== null
  const notice = hasEnded ? sessionEndedText : `Log in to continue to ${goal}.`

  const logIn = useCallback(() => {
    login.open({ notice, onSignedIn: () => undefined })
  }, [login, notice])

  useLoginOverPage(login, logIn)

  return (
    <>
      <PageHead title={title} />
      <MessagePanel title="Log in" text={notice}>
        <Button look="go" size="md" onClick={logIn}>
          Log in
        </Button>
        {children}
      </MessagePanel>
    </>
  )
}
