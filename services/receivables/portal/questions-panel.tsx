import { MerchantContact } from './merchant-contact.tsx'
import type { PortalView } from './portal-view.ts'

/** How to reach the merchant. */
export function QuestionsPanel({ view: { merchant } }: { readonly view: PortalView }) {
  return (
    <section className="panel" aria-labelledby="questions">
      <header>
        <h2 id="questions">Questions?</h2>
      </header>
      <p className="pay-box">
        <span dir="auto">{merchant.name}</span> answers
        <MerchantContact merchant={merchant} />.
      </p>
    </section>
  )
}
