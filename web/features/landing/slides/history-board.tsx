import { Chip } from '../../../ui/chip.tsx'
import { Mark } from '../../../ui/mark.tsx'
import { story } from '../invoice-story.ts'
import { InvoiceLine } from '../receivables-board.tsx'
import { sampleInvoices } from '../sample-invoices.ts'
import './drawn-slides.css'

const [invoice] = sampleInvoices
/** Newest first: a phone shows the upper ones. */
const steps = Object.values(story).toReversed()

/** A sample dashboard: the invoice that the page follows, with each of its steps. */
export function HistoryBoard({ label }: { label: string }) {
  return (
    <figure className="board board-behind" aria-label={label}>
      <div className="board-head">
        <b>
          <span className="mono">{invoice.number}</span>, {invoice.amount}
        </b>
        <span className="label">{invoice.customer}</span>
        <Chip tone={invoice.status.tone}>{invoice.status.text}</Chip>
      </div>
      <div className="history-line">
        <InvoiceLine invoice={invoice} />
      </div>
      <ol className="history-steps">
        {steps.map(({ mark, day, text }) => (
          <li key={day}>
            <Mark kind={mark} />
            <span>Day {day}</span>
            <b>{text}</b>
          </li>
        ))}
      </ol>
    </figure>
  )
}
