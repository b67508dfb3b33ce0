import { Frame } from './portal-frame.tsx'
import type { PortalView } from './portal-view.ts'

/**
 * A page with a sentence and nothing about a client or a merchant: it is the same for every link
 * that does not lead to a portal.
 */
export function Notice({ title, sentence }: { readonly title: string; readonly sentence: string }) {
  return (
    <main className="pay-notice">
      <h1>{title}</h1>
      <p>{sentence}</p>
    </main>
  )
}

/** Of a revoked link, which says nothing about a client or a merchant. */
export function RevokedUnsubscribePage({ action }: { readonly action: string }) {
  return (
    <main className="pay-notice">
      <h1>Stop the e-mails?</h1>
      <p>The sender of the e-mail then sends no reminder to the address that got it.</p>
      <StopForm action={action} />
    </main>
  )
}

function StopForm({ action }: { readonly action: string }) {
  return (
    <form method="post" action={action}>
      <input type="hidden" name="List-Unsubscribe" value="One-Click" />
      <button className="pay-button" type="submit">
        Stop the e-mails
      </button>
    </form>
  )
}

/** Before one-click: a link scanner that follows the link stops nothing. */
export function UnsubscribePage({
  merchant,
  address,
  action,
}: {
  readonly merchant: PortalView['merchant']
  readonly address: string
  readonly action: string
}) {
  return (
    <Frame merchant={merchant}>
      <main className="pay-notice">
        <h1 dir="auto">Stop the e-mails of {merchant.name}?</h1>
        <p>
          <span dir="auto">{merchant.name}</span> then sends no reminder to{' '}
          <b dir="auto">{address}</b>. What you owe stays the same. You can switch the e-mails on
          again on your page.
        </p>
        <StopForm action={action} />
      </main>
    </Frame>
  )
}

export function UnsubscribedPage({
  merchant,
  address,
  home,
}: {
  readonly merchant: PortalView['merchant']
  readonly address: string
  readonly home: string
}) {
  return (
    <Frame merchant={merchant}>
      <main className="pay-notice">
        <h1>The e-mails are stopped</h1>
        <p>
          <span dir="auto">{merchant.name}</span> sends no reminder to <b dir="auto">{address}</b>{' '}
          any more. <a href={home}>Your page</a> shows what is open, and switches the e-mails on
          again.
        </p>
      </main>
    </Frame>
  )
}

/** In another browser than the one that paid. The address has no token, so it says nothing. */
export function ReturnedPage() {
  return (
    <Notice
      title="You are back from the payment page"
      sentence="Open the link of your message again: it shows what is paid and what is open."
    />
  )
}
