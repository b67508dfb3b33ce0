import type { ReactNode } from 'react'
import type { RowChange } from '#contracts/receivables/imports'
import { ofNewerRelease } from '../../../../lib/of-newer-release.ts'
import { money } from '../../shared/amounts.ts'
import { fullDay } from '../../shared/days.ts'
import { paidOf, type ViewRow } from './import-view.ts'

type ServerRow = Extract<ViewRow, { readonly by: 'server' }>

/** What a row changes, with the value before, and what to know about it. */
export function RowChanges({ row }: { row: ServerRow }) {
  const { result, sent, notes } = row
  const { currency } = sent
  const paid = paidOf(result.changes)
  const open = result.changes.find(({ field }) => field === 'open')
  return (
    <>
      {result.changes.map((change) => (
        <span key={change.field}>
          {change.field !== 'open' && change !== result.changes[0] && ' '}
          <Change change={change} currency={currency} />{' '}
        </span>
      ))}
      {paid > 0 && (open?.after === 0 ? 'Paid in full. ' : `Payment of ${money(paid, currency)}. `)}
      {paid < 0 && `A payment of ${money(-paid, currency)} went back. `}
      {row.standing === 'new' && result.isNewClient && newClient(row)}
      {[...notes, ...(result.consentNote === null ? [] : [result.consentNote])].join(' ')}
    </>
  )
}

const newClient = ({ sent: { client } }: ServerRow) =>
  client.email === null && client.phone === null
    ? 'New client. No e-mail, no phone: no reminder reaches it. '
    : 'New client. '

function Change({ change, currency }: { change: RowChange; currency: string }) {
  const { field, before, after } = change
  switch (field) {
    case 'open':
      return <From label="Open" before={amount(before, currency)} after={amount(after, currency)} />
    case 'amount':
      return (
        <From label="Amount" before={amount(before, currency)} after={amount(after, currency)} />
      )
    case 'dueDate':
      return <From label="Due" before={day(before)} after={day(after)} />
    case 'issueDate':
      return <From label="Issued" before={day(before)} after={day(after)} />
    case 'reference':
      return <From label="Reference" before={before} after={after} />
    case 'url':
      return <From label="Link" before={before} after={after} />
    default:
      return <From label={ofNewerRelease(field)} before={before} after={after} />
  }
}

const amount = (value: RowChange['before'], currency: string) =>
  typeof value === 'number' ? money(value, currency) : value
const day = (value: RowChange['before']) => (typeof value === 'string' ? fullDay(value) : value)

interface FromProps {
  readonly label: string
  readonly before: ReactNode
  readonly after: ReactNode
}

function From({ label, before, after }: FromProps) {
  return (
    <>
      {label}{' '}
      {before !== null && (
        <>
          <span className="sr-only">was </span>
          <s>{before}</s>
          <span className="sr-only">, becomes</span>{' '}
        </>
      )}
      {after ?? 'none'}.
    </>
  )
}
