import type { ReactNode } from 'react'
import { siteContent } from '#contracts/brand/site-content'
import { toMajorUnits } from '#contracts/currency'
import { publicPlan } from '#contracts/plans'
import { ReminderCalendar } from './reminder-calendar.tsx'
import './benefits.css'

const { heading, items } = siteContent.benefits
const plan = publicPlan
const price = toMajorUnits(plan.amount, plan.currency).toFixed(2)

const Fees = () => (
  <dl className="benefit-fees">
    <div>
      <dt>{plan.name}</dt>
      <dd>${price}</dd>
    </div>
    <div>
      <dt>Fee on customer payments</dt>
      <dd>{plan.features.feeOnCustomerPayments}</dd>
    </div>
    <div>
      <dt>Anything else</dt>
      <dd>None</dd>
    </div>
  </dl>
)

const Message = () => (
  <div className="benefit-text" aria-hidden="true">
    Birchwood Dental: invoice INV-2041 for $1,240.00 was due on Mar 12. Pay here:
    <span>Pay $1,240.00</span>
  </div>
)

const drawings: Readonly<Record<(typeof items)[number]['drawing'], ReactNode>> = {
  calendar: <ReminderCalendar />,
  fees: <Fees />,
  message: <Message />,
}

/** Three benefits, each with an illustration. */
export function Benefits() {
  return (
    <>
      <h2>{heading}</h2>
      <div className="benefits">
        {items.map(({ drawing, title, text }) => (
          <article key={title}>
            <div className="benefit-drawing">{drawings[drawing]}</div>
            <h3>{title}</h3>
            <p>{text}</p>
          </article>
        ))}
      </div>
    </>
  )
}
