import { countText } from './portal-words.ts'
import { InvoiceDescription } from './invoices-panel.tsx'
import { formAddress, type RefusedForm } from './portal-said.ts'
import { PartForm } from './part-form.tsx'
import { isPayable, valueOfBox } from './pay-form.ts'
import type { PortalInvoice } from './portal-invoice.ts'
import { money, type PortalView } from './portal-view.ts'

export type Picked = 'all' | 'overdue'

/**
 * What is open, to be paid by card or bank account: one panel per currency, because a payment has
 * one. The boxes and the part of one invoice work without JavaScript; the script keeps the button's
 * amount in step with the boxes.
 */
export function PayPanel({
  view,
  picked,
  refused,
}: {
  readonly view: PortalView
  readonly picked: Picked
  readonly refused: RefusedForm | null
}) {
  const payable = view.invoices.filter(isPayable)
  const currencies = [...new Set(payable.map(({ currency }) => currency))]
  const others = view.invoices.filter((invoice) => !isPayable(invoice))
  return (
    <>
      {currencies.map((currency) => (
        <OneCurrency
          key={currency}
          view={view}
          currency={currency}
          invoices={payable.filter((invoice) => invoice.currency === currency)}
          picked={picked}
          refused={refused}
        />
      ))}
      {others.length > 0 && (
        <section className="panel" aria-labelledby="not-to-pay">
          <header>
            <h2 id="not-to-pay">Not to pay now</h2>
          </header>
          <ul className="pay-invoices">
            {others.map((invoice) => (
              <li key={invoice.receivableId} className="pay-left-out">
                <InvoiceDescription invoice={invoice} today={view.today} token={view.token} />
                <span className="pay-amount">{money(invoice.open, invoice.currency)}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

function OneCurrency({
  view,
  currency,
  invoices,
  picked,
  refused,
}: {
  readonly view: PortalView
  readonly currency: string
  readonly invoices: readonly PortalInvoice[]
  readonly picked: Picked
  readonly refused: RefusedForm | null
}) {
  const formId = `pay-${currency}`
  const late = invoices.filter(({ daysOverdue }) => daysOverdue > 0)
  const hasChoice = late.length > 0 && late.length < invoices.length
  const ticked = hasChoice && picked === 'overdue' ? late : invoices
  const sum = (of: readonly PortalInvoice[]) =>
    money(
      of.reduce((total, { open }) => total + open, 0),
      currency,
    )
  return (
    <section
      className="panel pay-pay"
      aria-labelledby={`${formId}-title`}
      data-pay={currency}
      data-digits={fractionDigits(currency)}
    >
      <header>
        <h2 id={`${formId}-title`}>Pay</h2>
        {hasChoice && (
          <Picks
            address={(pick) => `/pay/${view.token}?pick=${pick}#${formId}-title`}
            picked={picked}
            all={sum(invoices)}
            overdue={sum(late)}
          />
        )}
      </header>
      <ul className="pay-invoices pay-boxes">
        {invoices.map((invoice) => (
          <li key={invoice.receivableId}>
            <input
              type="checkbox"
              form={formId}
              id={`box-${invoice.receivableId}`}
              name="invoice"
              value={valueOfBox(invoice)}
              defaultChecked={ticked.includes(invoice)}
              aria-label={`${invoice.number}, ${money(invoice.open, currency)}`}
              data-open={invoice.open}
              data-late={invoice.daysOverdue > 0 ? '' : undefined}
            />
            <InvoiceDescription
              invoice={invoice}
              today={view.today}
              token={view.token}
              boxId={`box-${invoice.receivableId}`}
            />
            <span className="pay-amount">{money(invoice.open, currency)}</span>
            <PartForm way="checkout" invoice={invoice} token={view.token} refused={refused} />
          </li>
        ))}
      </ul>
      <form
        id={formId}
        className="pay-commit"
        method="post"
        action={formAddress(view.token, 'checkout')}
      >
        <p>
          <b data-count="">{countText(ticked.length, 'invoice')}</b>
          <small>by card or bank account</small>
        </p>
        <button className="pay-button" type="submit">
          Pay <span data-sum="">{sum(ticked)}</span>
        </button>
        <noscript>
          <p className="pay-fine">
            The amount on the button is that of the boxes as they were. The next page shows the
            amount of those that you have ticked.
          </p>
        </noscript>
        <p className="pay-fine">
          You pay on {view.ways.provider}’s page. The money goes direct to{' '}
          <span dir="auto">{view.merchant.name}</span>.
        </p>
      </form>
    </section>
  )
}

interface PicksProps {
  readonly address: (pick: Picked) => string
  readonly picked: Picked
  /** Sums in words. */
  readonly all: string
  readonly overdue: string
}

function Picks({ address, picked, all, overdue }: PicksProps) {
  return (
    <nav className="pay-picks" aria-label="Choose what to pay">
      <a href={address('all')} aria-current={picked === 'all' ? 'true' : undefined} data-pick="all">
        All {all}
      </a>
      <a
        href={address('overdue')}
        aria-current={picked === 'overdue' ? 'true' : undefined}
        data-pick="overdue"
      >
        Overdue {overdue}
      </a>
    </nav>
  )
}

function fractionDigits(currency: string): number {
  return (
    new Intl.NumberFormat('en-US', { style: 'currency', currency }).resolvedOptions()
      .maximumFractionDigits ?? 2
  )
}

/** For the page: what its address picks. */
export function pickOf(value: unknown): Picked {
  return value === 'overdue' ? 'overdue' : 'all'
}
