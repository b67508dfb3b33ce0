import type { CheckedRow, RowChange, SentRow } from '#contracts/receivables/imports'
import type { CheckedTable, RefusedRow } from '../check/check-rows.ts'
import { ofNewerRelease } from '../../../../lib/of-newer-release.ts'

export type CheckedFile = Extract<CheckedTable, { readonly kind: 'checked' }>

/** What the merchant answered about one row. */
export interface RowAnswer {
  readonly clientChoice: string | null
  readonly confirmsReversal: boolean
  /** Of whom the merchant chose: an answered row has none in its result. */
  readonly candidates: CheckedRow['candidates']
}

/** `asked`: refused unless the merchant answers. */
export type Standing = 'asked' | 'refused' | 'changed' | 'new' | 'unchanged'

interface RowOf {
  readonly row: number
  readonly standing: Standing
}

/** A row of the check, refused ones first. */
export type ViewRow =
  | (RowOf & { readonly by: 'file'; readonly refused: RefusedRow })
  | (RowOf & {
      readonly by: 'server'
      readonly sent: SentRow
      readonly result: CheckedRow
      readonly notes: readonly string[]
    })

export interface Sum {
  readonly currency: string
  readonly open: number
}

/** In minor units. `null` for what the file does not have. */
export interface ImportView {
  readonly rows: readonly ViewRow[]
  readonly counts: Readonly<Record<Standing, number>>
  readonly newOpen: readonly Sum[]
  /** Null: the file has no open amount. */
  readonly unchangedOpen: readonly Sum[] | null
  readonly newClients: number
  readonly changes: Changes
}

export interface Changes {
  readonly payments: number
  readonly paid: readonly Sum[]
  /** Payments that went back. */
  readonly reversals: number
  readonly dueDates: number
  readonly amounts: number
  /** Rows with another change: issue date, reference, link. */
  readonly others: number
}

export function sentRows(
  { rows }: CheckedFile,
  answers: ReadonlyMap<number, RowAnswer>,
): readonly SentRow[] {
  return rows.map(({ invoice }) => {
    const answer = answers.get(invoice.row)
    return {
      ...invoice,
      clientChoice: answer?.clientChoice ?? null,
      confirmsReversal: answer?.confirmsReversal ?? false,
    }
  })
}

const order: readonly Standing[] = ['asked', 'refused', 'changed', 'new', 'unchanged']

export function importView(
  file: CheckedFile,
  sent: readonly SentRow[],
  { results, answers }: Checks,
): ImportView {
  const refused = file.refused.map((each): ViewRow => ({
    by: 'file',
    row: each.row,
    standing: 'refused',
    refused: each,
  }))
  const notes = new Map(file.rows.map((row) => [row.invoice.row, row.notes]))
  const checked = sent.flatMap((row): ViewRow[] => {
    const result = results.get(row.row)
    if (result === undefined) return []
    const standing = standingOf(result, answers.has(row.row))
    return [
      {
        by: 'server',
        row: row.row,
        standing,
        sent: row,
        result,
        notes: notes.get(row.row) ?? [],
      },
    ]
  })
  // An answered row stays where it is, so that the focus stays in it.
  const placeOf = ({ row, standing }: ViewRow) => (answers.has(row) ? 0 : order.indexOf(standing))
  const rows = [...refused, ...checked].sort((a, b) => placeOf(a) - placeOf(b) || a.row - b.row)
  const counts = { asked: 0, refused: 0, changed: 0, new: 0, unchanged: 0 }
  const newOpen: Sum[] = []
  const unchangedOpen: Sum[] = []
  const newClients = new Set<string | null>()
  let hasOpen = true
  const changes = {
    payments: 0,
    paid: [] as Sum[],
    reversals: 0,
    dueDates: 0,
    amounts: 0,
    others: 0,
  }
  for (const row of rows) {
    counts[row.standing] += 1
    if (row.by === 'file') continue
    const { sent: invoice, result, standing } = row
    const { currency } = invoice
    if (standing === 'new') {
      add(newOpen, currency, invoice.openAmount ?? invoice.amount)
      if (result.isNewClient) newClients.add(result.clientId)
    }
    if (standing === 'unchanged') {
      if (invoice.openAmount === null) hasOpen = false
      else add(unchangedOpen, currency, invoice.openAmount)
    }
    if (standing !== 'changed') continue
    const paid = paidOf(result.changes)
    if (paid > 0) {
      changes.payments += 1
      add(changes.paid, currency, paid)
    }
    if (paid < 0) changes.reversals += 1
    const fields = new Set<string>(result.changes.map(({ field }) => field))
    if (fields.has('dueDate')) changes.dueDates += 1
    if (fields.has('amount')) changes.amounts += 1
    if (['issueDate', 'reference', 'url'].some((field) => fields.has(field))) changes.others += 1
  }
  return {
    rows,
    counts,
    newOpen,
    unchangedOpen: hasOpen ? unchangedOpen : null,
    newClients: newClients.size,
    changes,
  }
}

interface Checks {
  readonly results: ReadonlyMap<number, CheckedRow>
  readonly answers: ReadonlyMap<number, RowAnswer>
}

function standingOf({ outcome, code }: CheckedRow, isAnswered: boolean): Standing {
  switch (outcome) {
    case 'added':
      return 'new'
    case 'changed':
    case 'unchanged':
      return outcome
    case 'refused':
      return !isAnswered && (code === 'unclear-client' || code === 'open-rose')
        ? 'asked'
        : 'refused'
    default:
      ofNewerRelease(outcome)
      return 'refused'
  }
}

/** What a changed row records as paid. Negative: a payment that went back. */
export function paidOf(changes: readonly RowChange[]): number {
  const difference = (field: RowChange['field']) => {
    const change = changes.find((each) => each.field === field)
    return change === undefined ? 0 : Number(change.after) - Number(change.before)
  }
  // The open amount follows a changed amount: what remains of the difference was paid.
  return difference('amount') - difference('open')
}

function add(sums: Sum[], currency: string, open: number): void {
  const at = sums.findIndex((sum) => sum.currency === currency)
  const sum = sums[at]
  if (sum === undefined) sums.push({ currency, open })
  else sums[at] = { currency, open: sum.open + open }
}

/** Numbers of the rows that are not imported: a complete file does not mark them as paid. */
export function refusedNumbers(rows: readonly ViewRow[]): readonly string[] {
  const numbers = rows.flatMap((row) => {
    if (row.by === 'file') return [row.refused.written.number]
    return row.standing === 'refused' || row.standing === 'asked' ? [row.sent.number] : []
  })
  return [...new Set(numbers)].filter((number) => number !== '' && number.length <= 60)
}

/** The ids of the receivables that the file contains, as `missing` needs them. */
export const containedIds = (rows: readonly ViewRow[]): readonly string[] => [
  ...new Set(
    rows.flatMap((row) =>
      row.by === 'file' || row.result.receivableId === null
        ? []
        : [row.result.receivableId.replace(/^receivable_/, '')],
    ),
  ),
]
