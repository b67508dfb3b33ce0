import { siteContent } from '#contracts/brand/site-content'
import { Mark } from '../../ui/mark.tsx'
import { story } from './invoice-story.ts'
import { sampleInvoices } from './sample-invoices.ts'
import './invoice-slip.css'

const [invoice] = sampleInvoices

/** The timeline of the invoice that the page follows. */
export function InvoiceSlip() {
  return (
    <figure className="slip" aria-labelledby="slip-caption">
      <p className="label" id="slip-caption">
        {siteContent.contact.timelineCaption}
      </p>
      <div className="slip-sheet">
        <p>
          <b>{invoice.number}</b>
          <b className="num">{invoice.amount}</b>
        </p>
        <ol>
          {Object.values(story).map(({ mark, day, text }) => (
            <li key={day} className={mark === 'paid' ? 'slip-paid' : undefined}>
              <Mark kind={mark} />
              <span>{text}</span>
              <span className="slip-day num">Day {day}</span>
            </li>
          ))}
        </ol>
      </div>
    </figure>
  )
}
