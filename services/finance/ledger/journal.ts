import type { Account } from './accounts.ts'
import type { Entry } from './entry.ts'

/** A line as an accounting system imports it. One of `debit` and `credit` is 0. Minor units. */
export interface JournalLine extends Omit<Entry, 'lines'> {
  readonly account: Account
  readonly debit: number
  readonly credit: number
}

export function journalLines({ lines, ...entry }: Entry): readonly JournalLine[] {
  return lines.map(({ account, amount }) => ({
    ...entry,
    account,
    debit: Math.max(0, amount),
    credit: Math.max(0, -amount),
  }))
}
