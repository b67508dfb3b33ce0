import { useCallback, useEffect } from 'react'
import { useLogin } from '../../lib/login-request.ts'
import { sessionEndedText } from '../../lib/session-values.ts'
import { readStored, useStored } from '../../lib/stored-values.ts'
import { Button } from '../../ui/button.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { MessagePanel } from './message-panel.tsx'
import type { PortalLink } from './portal-link.ts'

/**
 * Opens the login over the page. The stored e-mail of the sign-in makes the page continue. If the
 * customer closes the login, the page stays, so that the link is not lost.
 */
export function LogInFirst({ link: { title, goal } }: { link: PortalLink }) {
  const login = useLogin()
  const hasEnded = useStored('customerSessionEnded') !== null
  const notice = hasEnded ? sessionEndedText : `Log in to continue to ${goal}.`

  const logIn = useCallback(() => {
    login.open({ notice, onSignedIn: () => undefined })
  }, [login, notice])

  useEffect(() => {
    logIn()
    return () => {
      // After Back. A sign-in also removes this content, and its dialog may still show the profile.
      if (readStored('userEmail') === null) login.close()
    }
  }, [login, logIn])

  return (
    <>
      <PageHead title={title} />
      <MessagePanel title="Log in" text={notice}>
        <Button look="go" size="md" onClick={logIn}>
          Log in
        </Button>
      </MessagePanel>
    </>
  )
}
