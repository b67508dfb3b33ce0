import { publicPlan } from '#contracts/plans'
import { toMajorUnits } from '#contracts/currency'
import { ReminderCalendar } from './reminder-calendar.tsx'
import './benefits.css'

const plan = publicPlan
const price = toMajorUnits(plan.amount, plan.currency).toFixed(2)

/** Three benefits, each with an illustration. */
export function Benefits() {
  return (
    <>
      <h2>Reminded in time. Charged in plain sight. Paid&nbsp;on&nbsp;the&nbsp;spot.</h2>
      <div className="benefits">
        <article>
          <div className="benefit-drawing">
            <ReminderCalendar />
          </div>
          <h3>Multiple reminder methods</h3>
          <p>E-mail and text, on one schedule. The reminders stop when the invoice is paid.</p>
        </article>
        <article>
          <div className="benefit-drawing">
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
          </div>
          <h3>No hidden fees</h3>
          <p>One monthly price and one fee on customer payments, both printed here.</p>
        </article>
        <article>
          <div className="benefit-drawing">
            <div className="benefit-text" aria-hidden="true">
              Birchwood Dental: invoice INV-2041 for $1,240.00 was due on Mar 12. Pay here:
              <span>Pay $1,240.00</span>
            </div>
          </div>
          <h3>Instant payment options</h3>
          <p>A reminder carries the way to pay. Your customer settles it from the message.</p>
        </article>
      </div>
    </>
  )
}
