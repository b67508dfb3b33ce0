import { useCallback, useEffect } from 'react'
import { Link, useSearchParams } from 'react-router-dom'
import { portalReturnPath } from '#contracts/checkout'
import { isLive, isUnpaid } from '#contracts/subscription-status'
import { readableAddress } from '#contracts/readable-address'
import { useCreatePortalSessionMutation } from '../../api/purchases-api.ts'
import { useGetSubscriptionsQuery } from '../../api/subscriptions-api.ts'
import { browser } from '../../lib/browser.ts'
import { focusPageHeading } from '../../lib/focus-heading.ts'
import { errorText } from '../../lib/http.ts'
import { useLogin } from '../../lib/login-request.ts'
import { notePortalVisit } from '../../lib/portal-visit.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { MessagePanel } from '../../ui/message-panel.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import type { PortalLink } from './portal-link.ts'
import './own-portal.css'

const forAnotherAccount = 'If the message was for another account, log in with its e-mail address.'

/**
 * Opens the portal for the plan of the signed-in customer. If there is none, or if nothing is
 * unpaid, the message was for another account or is out of date, and the page says so.
 */
export function OwnPortal({ email, link }: { email: string; link: PortalLink }) {
  const [search] = useSearchParams()
  const { data, isFetching, isError, error, refetch } = useGetSubscriptionsQuery(
    { email },
    { refetchOnMountOrArgChange: true },
  )
  const live = data?.filter(({ status }) => isLive(status)) ?? []
  const plan = live.find(({ status }) => isUnpaid(status)) ?? live[0]
  const portal = useOwnPortal(email, link, plan?.subscription_id)
  const { open } = portal
  const isCurrent =
    link.action === 'manage' ||
    (plan !== undefined && (isUnpaid(plan.status) || plan.unpaid_invoices.length > 0)) ||
    search.get('card') === 'expires'
  const opens = !isFetching && !isError && plan !== undefined && isCurrent

  useEffect(() => {
    if (opens) open()
  }, [opens, open])

  const failure = isError ? error : portal.error
  const retry = () => {
    focusPageHeading()
    if (isError) void refetch()
    else open()
  }

  function content() {
    if (failure !== undefined)
      return (
        <MessagePanel title="The page could not be opened" text={errorText(failure, tryAgain)}>
          <Button look="line" size="md" busy={isFetching || portal.isOpening} onClick={retry}>
            Retry
          </Button>
        </MessagePanel>
      )
    if (isFetching || opens || portal.isOpening)
      return (
        <p className="own-portal-opening" role="status">
          <Spinner />
          {`Opening ${link.goal}...`}
        </p>
      )
    if (plan === undefined)
      return (
        <MessagePanel
          title="No plan"
          text={`${readableAddress(email)} has no plan. ${forAnotherAccount}`}
        >
          <AnotherAccount />
          <Link className={buttonClass({ look: 'line', size: 'md' })} to="/purchases">
            Past Purchases
          </Link>
        </MessagePanel>
      )
    return (
      <MessagePanel
        title="Nothing is unpaid"
        text={`The plan of ${readableAddress(email)} has no unpaid payment. ${forAnotherAccount}`}
      >
        {link.action === 'pay' ? (
          <Link className={buttonClass({ look: 'line', size: 'md' })} to="/purchases">
            Past Purchases
          </Link>
        ) : (
          <Button look="line" size="md" onClick={open}>
            Change the card
          </Button>
        )}
        <AnotherAccount />
      </MessagePanel>
    )
  }

  return (
    <>
      <PageHead title={link.title} note={readableAddress(email)} />
      {content()}
    </>
  )
}

const tryAgain = 'The server did not answer as it should. Nothing has changed on your account.'

/** The sign-in replaces the session, and the page starts again with the other account. */
function AnotherAccount() {
  const login = useLogin()
  return (
    <Button look="line" size="md" onClick={() => login.open({ onSignedIn: () => undefined })}>
      Use another e-mail
    </Button>
  )
}

/** A portal link is valid for minutes, so each call of `open` creates one and navigates to it. */
function useOwnPortal(email: string, { action }: PortalLink, subscriptionId: string | undefined) {
  const [createPortalSession, { isLoading, isSuccess, error }] = useCreatePortalSessionMutation()
  const open = useCallback(() => {
    void createPortalSession({ email, returnUrl: portalReturnPath, subscriptionId, action }).then(
      ({ data }) => {
        if (data === undefined) return
        notePortalVisit(data.since)
        // Back from the portal would lead to this page, which opens the portal again.
        browser.replaceWith(data.url)
      },
    )
  }, [createPortalSession, email, subscriptionId, action])
  return { open, isOpening: isLoading || isSuccess, error }
}
