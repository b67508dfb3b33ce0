import { publicPlan } from '#contracts/plans'
import { Chip } from '../../../ui/chip.tsx'
import './drawn-slides.css'

/** Sample payments, newest first: the paid invoices of the first slide, and earlier ones. */
const payments = [
  ['INV-2052', 'Priya Raghunathan', '$96.00', 'Client portal, day 1'],
  ['INV-2047', 'T. Okonjo-Hale', '$415.50', 'E-mail of day 3'],
  ['INV-2041', 'Marisol Quintero', '$1,240.00', 'Client portal, day 14'],
  ['INV-2038', 'Harbor Street Clinic', '$2,310.00', 'Text of day 7'],
  ['INV-2036', 'Sam Whitfield', '$148.75', 'E-mail of day 3'],
  ['INV-2035', 'Orchard Row Lab', '$1,905.00', 'Text of day 7'],
  ['INV-2033', 'Anneliese Burke', '$320.00', 'Client portal, day 2'],
] as const

const { feeOnCustomerPayments } = publicPlan.features

/** A sample dashboard: what customers paid, and what made them pay. */
export function PaymentsBoard({ label }: { label: string }) {
  return (
    <figure className="board board-behind" aria-label={label}>
      <div className="board-head">
        <b>Payments</b>
        <span className="label">Birchwood Dental</span>
      </div>
      <dl className="board-readouts">
        <div>
          <dt className="label">Collected this month</dt>
          <dd>$31,870.00</dd>
        </div>
        <div>
          <dt className="label">Payments this month</dt>
          <dd>64</dd>
        </div>
        <div>
          <dt className="label">Average days to pay</dt>
          <dd>11.4</dd>
        </div>
        <div>
          <dt className="label">Fee on customer payments</dt>
          <dd>{feeOnCustomerPayments}</dd>
        </div>
      </dl>
      <table className="board-invoices">
        <thead>
          <tr>
            <th scope="col">Invoice</th>
            <th scope="col">Customer</th>
            <th scope="col">Amount</th>
            <th scope="col">Paid from</th>
            <th scope="col">Status</th>
          </tr>
        </thead>
        <tbody>
          {payments.map(([number, customer, amount, from]) => (
            <tr key={number}>
              <td className="mono">{number}</td>
              <td>{customer}</td>
              <td>{amount}</td>
              <td>{from}</td>
              <td>
                <Chip tone="active">Paid</Chip>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <figcaption>Payments go through your own gateway, direct to your account.</figcaption>
    </figure>
  )
}
