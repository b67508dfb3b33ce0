import { Chip } from '../../ui/chip.tsx'
import { Mark, type MarkKind } from '../../ui/mark.tsx'
import { sampleInvoices, scaleDays, type SampleInvoice } from './sample-invoices.ts'
import { Sparkline } from './sparkline.tsx'
import './receivables-board.css'

const legend: readonly { mark: MarkKind; text: string }[] = [
  { mark: 'sent', text: 'Sent' },
  { mark: 'email', text: 'E-mail' },
  { mark: 'text', text: 'Text' },
  { mark: 'paid', text: 'Paid' },
  { mark: 'now', text: 'Today' },
]

/** A sample dashboard: invoices with their reminders. */
export function ReceivablesBoard({ label }: { label: string }) {
  return (
    <figure className="board" aria-label={label}>
      <div className="board-head">
        <b>Receivables</b>
        <span className="label">Birchwood Dental</span>
      </div>
      <Readouts />
      <table className="board-invoices">
        <thead>
          <tr>
            <th scope="col">Invoice</th>
            <th scope="col">Customer</th>
            <th scope="col">Amount</th>
            <th scope="col">
              <span className="sr-only">Days since sent</span>
              <span className="board-scale" aria-hidden="true">
                {[0, 7, 14, 21].map((day) => (
                  <b key={day} className={`day-${day}`}>
                    {day === 0 ? 'Day 0' : day}
                  </b>
                ))}
              </span>
            </th>
            <th scope="col">Status</th>
          </tr>
        </thead>
        <tbody>
          {sampleInvoices.map((invoice) => (
            <InvoiceRow key={invoice.number} invoice={invoice} />
          ))}
        </tbody>
      </table>
      <figcaption>
        {legend.map(({ mark, text }) => (
          <span key={mark}>
            <Mark kind={mark} />
            {text}
          </span>
        ))}
      </figcaption>
    </figure>
  )
}

function Readouts() {
  return (
    <dl className="board-readouts">
      <div>
        <dt className="label">Outstanding</dt>
        <dd>
          $12,455.25
          <Sparkline values={[71, 66, 82, 56, 51, 46, 36, 41, 26]} />
        </dd>
      </div>
      <div>
        <dt className="label">Collected this month</dt>
        <dd>
          $31,870.00
          <Sparkline values={[18, 22, 29, 33, 42, 51, 58, 69, 80]} />
        </dd>
      </div>
      <div>
        <dt className="label">Average days to pay</dt>
        <dd>
          11.4
          <Sparkline values={[80, 74, 62, 62, 50, 38, 32, 26, 22]} />
        </dd>
      </div>
      <div>
        <dt className="label">Reminders this month</dt>
        <dd>
          214
          <span className="board-share">
            <svg width="92" height="6" aria-hidden="true">
              <rect width="54" height="6" rx="1" fill="var(--data-4)" />
              <rect x="56" width="36" height="6" rx="1" fill="var(--data-2)" />
            </svg>
            <span className="label">128 e-mail, 86 text</span>
          </span>
        </dd>
      </div>
    </dl>
  )
}

function InvoiceRow({ invoice }: { invoice: SampleInvoice }) {
  return (
    <tr>
      <td className="mono">{invoice.number}</td>
      <td>{invoice.customer}</td>
      <td>{invoice.amount}</td>
      <td>
        <InvoiceLine invoice={invoice} />
      </td>
      <td>
        <Chip tone={invoice.status.tone}>{invoice.status.text}</Chip>
      </td>
    </tr>
  )
}

const stepWords: Partial<Record<MarkKind, string>> = {
  sent: 'sent',
  email: 'e-mail',
  text: 'text',
  paid: 'paid',
  now: 'today',
}

/** The line from the sent mark to the paid mark, or to today. */
function InvoiceLine({ invoice: { steps } }: { invoice: SampleInvoice }) {
  const last = steps.at(-1)
  const words = steps.map(({ mark, day }) => `${stepWords[mark]} on day ${day}`).join(', ')
  return (
    <>
      <span className="sr-only">{`${words}, of ${scaleDays} days shown`}</span>
      <span className="invoice-line" aria-hidden="true">
        {last && (
          <i
            className={`invoice-track day-${last.day} ${last.mark === 'paid' ? 'invoice-track-paid' : ''}`}
          />
        )}
        {steps.map(({ mark, day }) => (
          <Mark key={`${mark}-${day}`} kind={mark} className={`day-${day}`} />
        ))}
      </span>
    </>
  )
}
