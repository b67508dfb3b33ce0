import { unreachable } from '#services/foundation/decider'
import { maxCharactersOfDispute } from './portal-acts.ts'
import { formAddress, type RefusedForm } from './portal-said.ts'
import type { PortalInvoice } from './portal-invoice.ts'
import { money, type PortalView } from './portal-view.ts'
import { momentText } from './portal-words.ts'

export function isDisputable({ mayAct, dispute }: PortalInvoice): boolean {
  return mayAct && dispute === null
}

/** The page with the form for this invoice. */
export function disputeAddress(token: string, { receivableId }: PortalInvoice): string {
  return `/pay/${token}?dispute=${receivableId}#dispute`
}

/** The disputes of the client, and the form for one more. `chosen`: the invoice of the form. */
export function DisputePanels({
  view,
  refused,
  chosen,
}: {
  readonly view: PortalView
  readonly refused: RefusedForm | null
  readonly chosen: string | null
}) {
  const { merchant, invoices } = view
  const possible = invoices.filter(isDisputable)
  return (
    <>
      {invoices.map((invoice) => (
        <Disputed key={invoice.receivableId} invoice={invoice} view={view} />
      ))}
      {possible.length > 0 && (
        <section className="panel" aria-labelledby="dispute">
          <header>
            <h2 id="dispute">Something wrong?</h2>
          </header>
          <form className="pay-form" method="post" action={formAddress(view.token, 'dispute')}>
            <p>
              <span dir="auto">{merchant.name}</span> reads it and answers. The invoice gets no
              reminders until then.
            </p>
            <label className="pay-field">
              <span>Invoice</span>
              <select name="invoice" defaultValue={refused?.form['invoice'] ?? chosen ?? undefined}>
                {possible.map(({ receivableId, number, open, currency }) => (
                  <option key={receivableId} value={receivableId}>
                    {number}, {money(open, currency)}
                  </option>
                ))}
              </select>
            </label>
            <label className="pay-field">
              <span>What is wrong</span>
              <textarea
                name="text"
                rows={3}
                required
                maxLength={maxCharactersOfDispute}
                dir="auto"
                defaultValue={refused?.form['text']}
              />
            </label>
            <button className="pay-second" type="submit" name="want" value="dispute">
              Dispute this invoice
            </button>
          </form>
        </section>
      )}
    </>
  )
}

function Disputed({
  invoice: { receivableId, number, open, currency, dispute },
  view,
}: {
  readonly invoice: PortalInvoice
  readonly view: PortalView
}) {
  if (dispute === null) return null
  const { merchant, token } = view
  return (
    <section className="panel" aria-label={`Dispute of ${number}`}>
      <div className="pay-say">
        <h2 dir="auto">
          <i className="mark-agreed" aria-hidden="true" />
          {number} is disputed
        </h2>
        {dispute.text !== null && <p className="pay-quote" dir="auto">{`“${dispute.text}”`}</p>}
        <p>
          <Origin dispute={dispute} view={view} /> {money(open, currency)} is left out of what you
          pay until <span dir="auto">{merchant.name}</span> answers.
        </p>
      </div>
      {dispute.madeBy === 'client' && (
        <form className="pay-band" method="post" action={formAddress(token, 'dispute')}>
          <input type="hidden" name="invoice" value={receivableId} />
          <button className="pay-second" type="submit" name="want" value="withdraw">
            Withdraw the dispute
          </button>
        </form>
      )}
    </section>
  )
}

function Origin({
  dispute: { madeBy, at },
  view: { merchant, timeZone },
}: {
  readonly dispute: NonNullable<PortalInvoice['dispute']>
  readonly view: PortalView
}) {
  const when = momentText(at, timeZone)
  switch (madeBy) {
    case 'client':
      return `Sent on ${when}.`
    case 'bank':
      return `A payment is disputed at your bank since ${when}.`
    case 'merchant':
      return (
        <>
          <span dir="auto">{merchant.name}</span> noted it on {when}.
        </>
      )
    default:
      return unreachable(madeBy)
  }
}
