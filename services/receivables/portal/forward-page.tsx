import { Frame } from './portal-frame.tsx'
import type { PortalView } from './portal-view.ts'

/** On the way to the payment page, for a browser that does not follow by itself. */
export function ForwardPage({ view, url }: { readonly view: PortalView; readonly url: string }) {
  return (
    <Frame merchant={view.merchant}>
      <main className="pay-notice">
        <h1>To the payment page</h1>
        <p>
          You pay on the page of {new URL(url).host}. <a href={url}>Continue</a> if it does not open
          by itself.
        </p>
      </main>
    </Frame>
  )
}
