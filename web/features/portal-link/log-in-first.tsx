import { useCallback } from 'react'
import { useLogin } from '../../lib/login-request.ts'
import { sessionEndedText } from '../../lib/session-values.ts'
import { useStored } from '../../lib/stored-values.ts'
import { Button } from '../../ui/button.tsx'
import { useLoginOverPage } from '../../ui/login-over-page.ts'
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

  useLoginOverPage(login, logIn)

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
