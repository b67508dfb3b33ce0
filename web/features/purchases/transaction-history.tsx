import { Link } from 'react-router-dom'
import { codeInWords } from '#contracts/code-in-words'
import { lostDisputeNote } from '#contracts/lost-dispute'
import type { Transaction } from '#contracts/purchases'
import { formatDay } from '../../lib/dates.ts'
import { formatMoney } from '../../lib/money.ts'
import { paymentStatus, StatusChips } from '../../ui/status-chip.tsx'
import { DateCell, Ledger } from './ledger.tsx'

export function TransactionHistory({ transactions }: { transactions: readonly Transaction[] }) {
  return (
    <Ledger
      title="Transaction History"
      columns={[
        { label: 'Date' },
        { label: 'Type' },
        { label: 'Details' },
        { label: 'Reference', className: 'ledger-reference' },
        { label: 'Amount', className: 'ledger-amount' },
        { label: 'Status' },
        { label: 'Receipt', className: 'ledger-receipt' },
      ]}
    >
      {transactions.map((transaction) => (
        <TransactionRow key={transaction.id} transaction={transaction} />
      ))}
      {transactions.length === 0 && (
        <tr role="row">
          <td role="cell" colSpan={7} className="ledger-empty">
            No transactions found
          </td>
        </tr>
      )}
    </Ledger>
  )
}

function TransactionRow({ transaction }: { transaction: Transaction }) {
  const { created_at, description, payment_method, stripe_id, amount, currency } = transaction
  const { status, receipt_url, reason, memo } = transaction
  return (
    <tr role="row">
      <DateCell at={created_at} />
      <td role="cell" className="ledger-type nowrap">
        {transactionType(transaction)}
      </td>
      <td role="cell" className="ledger-details">
        <span>{description}</span>
        {payment_method !== null && <small>{payment_method}</small>}
        {reason !== null && <small className="ledger-note">Reason: {codeInWords(reason)}</small>}
        {memo !== null && <small className="ledger-note">{memo}</small>}
        {status === 'dispute_lost' && <small className="ledger-note">{lostDisputeNote}</small>}
      </td>
      <td role="cell" className="ledger-reference mono">
        <span title={stripe_id}>{stripe_id}</span>
      </td>
      <td role="cell" className="ledger-amount">
        {formatMoney(amount, currency)}
      </td>
      <td role="cell" className="ledger-status">
        <StatusChips labels={[paymentStatus(status)]} />
      </td>
      <td role="cell" className="ledger-receipt">
        {receipt_url !== null && (
          <Link
            to={receipt_url}
            aria-label={`${receiptWord(transaction)} of ${formatDay(created_at)}, ${formatMoney(amount, currency)}`}
          >
            {receiptWord(transaction)}
          </Link>
        )}
      </td>
    </tr>
  )
}

const typeNames: Readonly<Record<Transaction['type'], string>> = {
  payment: 'Payment',
  refund: 'Refund',
  credit_note: 'Credit Note',
}

/** An entry of a newer release shows the words of its type: it may be no payment. */
function transactionType({ type }: Transaction): string {
  return Object.hasOwn(typeNames, type) ? typeNames[type] : codeInWords(type)
}

/** The title of the page that the link opens, in short. */
function receiptWord(transaction: Transaction): string {
  const type = transactionType(transaction)
  return type === 'Credit Note' ? type : 'Receipt'
}
