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
        {merchant.phone !== null && (
          <>
            {' '}
            at <a href={`tel:${merchant.phone.replaceAll(/[^\d+]/g, '')}`}>{merchant.phone}</a>
          </>
        )}
        {merchant.phone !== null && merchant.email !== null && ' and'}
        {merchant.email !== null && (
          <>
            {' '}
            at <a href={`mailto:${merchant.email}`}>{merchant.email}</a>
          </>
        )}
        .
      </p>
    </section>
  )
}
