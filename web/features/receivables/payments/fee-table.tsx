import { Link } from 'react-router-dom'
import type { PaymentFee } from '#contracts/receivables/fees'
import { money } from '../shared/amounts.ts'
import { countOf, fullDay } from '../shared/days.ts'
import { clientPath } from '../shared/paths.ts'

/** Payments of clients, newest first, with the fee of each. */
export function FeeTable({ payments }: { readonly payments: readonly PaymentFee[] }) {
  return (
    <table className="rcv-table fee-table" role="table" aria-label="Fees">
      <thead role="rowgroup">
        <tr role="row">
          <th role="columnheader" scope="col">
            Client
          </th>
          <th role="columnheader" scope="col">
            Paid on
          </th>
          <th role="columnheader" scope="col" className="right">
            Paid
          </th>
          <th role="columnheader" scope="col" className="right">
            Fee
          </th>
        </tr>
      </thead>
      <tbody role="rowgroup">
        {payments.map((payment) => (
          <Row key={payment.checkoutId} payment={payment} />
        ))}
      </tbody>
    </table>
  )
}

function Row({ payment }: { readonly payment: PaymentFee }) {
  const { clientId, clientName, day, means, invoices, currency } = payment
  const { amount, back, netFee, feeReturned } = payment
  return (
    <tr role="row">
      <td role="cell" className="who">
        <Link to={clientPath(clientId)}>
          <b dir="auto">{clientName}</b>
        </Link>
        <small>
          {countOf(invoices, 'invoice')}, {means}
        </small>
      </td>
      <td role="cell" className="keep">
        {fullDay(day)}
      </td>
      <td role="cell" className="paid right num">
        {money(amount, currency)}
        {back > 0 && <small>{money(back, currency)} went back</small>}
      </td>
      <td role="cell" className="fee right num amount">
        <span className="fee-label">Fee </span>
        {money(netFee, currency)}
        {feeReturned > 0 && <small>after {money(feeReturned, currency)} returned</small>}
      </td>
    </tr>
  )
}
