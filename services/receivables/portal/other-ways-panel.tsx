import { fillGatewayLink, takesAmount } from '#contracts/receivables/gateway-link'
import { PartForm } from './part-form.tsx'
import { isPayable } from './pay-form.ts'
import type { RefusedForm } from './portal-said.ts'
import { money, type PortalView } from './portal-view.ts'

/** The ways to pay without this page: the merchant's own gateway, and what it wrote. */
export function OtherWaysPanel({
  view,
  refused,
}: {
  readonly view: PortalView
  readonly refused: RefusedForm | null
}) {
  const { gateway, instructions } = view.ways
  const payable = view.invoices.filter(isPayable)
  if (payable.length === 0 || (gateway === null && instructions === null)) return null
  return (
    <section className="panel" aria-labelledby="ways">
      <header>
        <h2 id="ways">{view.ways.isOnline ? 'Other ways to pay' : 'How to pay'}</h2>
      </header>
      {gateway !== null && (
        <ul className="pay-invoices pay-links">
          {payable.map((invoice) => (
            <li key={invoice.receivableId}>
              <p>
                <a
                  href={fillGatewayLink(gateway.link, {
                    invoice: invoice.number,
                    amount: { amount: invoice.open, currency: invoice.currency },
                    client: view.clientName,
                  })}
                  rel="noopener noreferrer"
                >
                  Pay {invoice.number} at {gateway.host}
                </a>
              </p>
              <span className="pay-amount">{money(invoice.open, invoice.currency)}</span>
              {takesAmount(gateway.link) && (
                <PartForm
                  way="gateway"
                  invoice={invoice}
                  token={view.token}
                  refused={refused}
                  host={gateway.host}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {gateway !== null && (
        <p className="pay-box">
          The links lead to {gateway.host}. <span dir="auto">{view.merchant.name}</span> writes a
          payment there down by hand, so this page shows it later.
        </p>
      )}
      {instructions !== null && (
        <p className="pay-box pay-quote" dir="auto">
          {instructions}
        </p>
      )}
    </section>
  )
}
