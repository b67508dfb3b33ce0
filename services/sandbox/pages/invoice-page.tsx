import { brand } from '#contracts/brand/brand'
import { sumOf } from '../billing/discount.ts'
import { formatDay, formatMoney } from '../billing/format.ts'
import type { Invoice } from '../store/stripe-objects.ts'
import { CardFields, TestCards } from './card-fields.tsx'
import type { CardDates, FieldErrors, TypedForm } from './card-form.ts'
import { invoiceChip } from './invoice-chip.ts'
import { renderPage } from './page.tsx'
import { BackLink, LogoMark } from './parts.tsx'

interface InvoiceView {
  readonly invoice: Invoice
  readonly backUrl: string
  readonly dates: CardDates
  readonly form: TypedForm
  readonly errors: FieldErrors
  /** The issuer's sentence if the card was declined; otherwise null. */
  readonly decline: string | null
}

/**
 * The hosted page of an invoice: number, status, lines, discount, tax and total. The page of an
 * open invoice has a form that pays it.
 */
export function renderInvoice(view: InvoiceView): string {
  const { invoice, backUrl } = view
  const heading = `Invoice ${invoice.number ?? ''}`
  const [kind, word] = invoiceChip(invoice)
  return renderPage({
    title: `${heading} (sandbox)`,
    kind: 'portal',
    children: (
      <>
        <header className="portal-bar">
          <span className="logo">
            <LogoMark />
            {brand.name}
          </span>
          <BackLink href={backUrl} text="Back to your account" />
        </header>
        <main className="portal">
          <h1>{heading}</h1>
          <section className="panel">
            <header>
              <h2>{formatDay(invoice.created)}</h2>
              <span className={`chip chip-${kind}`}>{word}</span>
            </header>
            <Lines invoice={invoice} />
            <div className="panel-body">
              <Sums invoice={invoice} />
            </div>
          </section>
          {invoice.status === 'open' && <Payment view={view} />}
        </main>
      </>
    ),
  })
}

function Lines({ invoice }: { readonly invoice: Invoice }) {
  return (
    <table className="portal-table">
      <thead>
        <tr>
          <th>Description</th>
          <th className="number">Quantity</th>
          <th className="number">Amount</th>
        </tr>
      </thead>
      <tbody>
        {invoice.lines.data.map((line) => (
          <tr key={line.id}>
            <td>
              {line.description}
              <div className="fine-print">
                {formatDay(line.period.start)} to {formatDay(line.period.end)}
              </div>
            </td>
            <td className="number">{line.quantity}</td>
            <td className="number">{formatMoney(line.amount, line.currency)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Sums({ invoice }: { readonly invoice: Invoice }) {
  const taxes = sumOf(invoice.total_taxes ?? [])
  const discount = sumOf(invoice.total_discount_amounts ?? [])
  const { pre_payment_credit_notes_amount: before, post_payment_credit_notes_amount: after } =
    invoice
  // A negative balance of the customer pays a part of the invoice; a positive one is added.
  const applied = invoice.amount_due + before - invoice.total
  const sums: readonly (readonly [label: string, amount: number])[] = [
    ['Subtotal', invoice.subtotal],
    ...(discount === 0 ? [] : [['Discount', -discount] as const]),
    ['Tax', taxes],
    ['Total', invoice.total],
    ...(applied === 0
      ? []
      : [[invoice.total < 0 ? 'Added to your credit' : 'Applied balance', applied] as const]),
    ...(before === 0 ? [] : [['Credit notes', -before] as const]),
    ...(invoice.status === 'paid'
      ? [['Amount paid', invoice.amount_paid] as const]
      : [['Amount due', invoice.amount_remaining] as const]),
    ...(after === 0 ? [] : [['Credited later', -after] as const]),
  ]
  return (
    <dl className="descriptions">
      <div>
        <dt>Billed to</dt>
        <dd>{invoice.customer_name ?? invoice.customer_email ?? 'You'}</dd>
      </div>
      {sums.map(([label, amount]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{formatMoney(amount, invoice.currency)}</dd>
        </div>
      ))}
    </dl>
  )
}

function Payment({ view: { invoice, form, errors, decline, dates } }: { view: InvoiceView }) {
  const amount = formatMoney(invoice.amount_remaining, invoice.currency)
  return (
    <>
      <section className="panel">
        <header>
          <h2>Pay by card</h2>
        </header>
        <form
          className="panel-body card-form"
          method="post"
          action={`/invoice/${invoice.id ?? ''}`}
          noValidate
        >
          {decline !== null && (
            <p className="error-box card-wide" role="alert">
              {decline} Nothing was charged. Try another card.
            </p>
          )}
          <CardFields form={form} errors={errors} isDeclined={decline !== null} />
          <div className="portal-actions card-wide">
            <button className="button button-go" type="submit">
              Pay {amount}
            </button>
          </div>
          <p className="fine-print card-wide">
            {amount} is charged when you press Pay. Your saved card stays the card of later charges.
          </p>
        </form>
      </section>
      <TestCards {...dates} />
    </>
  )
}
