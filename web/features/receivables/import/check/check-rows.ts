import { importRow, type ImportRow } from '#contracts/receivables/import-rows'
import { normalizedNumber } from '#contracts/receivables/invoice-number'
import { formatCount } from '../../../../lib/money.ts'
import { cellText } from '../file/file-row.ts'
import { refuseManyInvoices } from '../file/limits.ts'
import type { Table, TableRow } from '../table/table.ts'
import type { Choices } from '../table/remembered-choices.ts'
import { missingColumns, type Mapping, type Target } from '../table/targets.ts'
import { readingRules, type FileDefaults } from './reading-rules.ts'
import type { Question } from './questions.ts'
import {
  consentOf,
  contactOf,
  currencyOfRow,
  dayOf,
  detailsOf,
  dueDate,
  minorOf,
  openAmountOf,
  requiredText,
  textOf,
  type Fields,
  type ReadingRules,
} from './read-fields.ts'
import { RowRefusal } from './row-refusal.ts'
import { sortRows, type LeftOutRow } from './sort-rows.ts'

interface AcceptedRow {
  readonly invoice: ImportRow
  /** Sentences about values of the row that are not imported. */
  readonly notes: readonly string[]
}

export interface RefusedRow {
  readonly row: number
  readonly reason: string
  /** The column that the reason is about. */
  readonly target: Target
  /** As written in the file. */
  readonly written: {
    readonly number: string
    readonly client: string
    readonly due: string
    readonly open: string
  }
}

export type CheckedTable =
  /** Required columns have no target. */
  | { readonly kind: 'incomplete'; readonly missing: readonly string[] }
  /** At least one question has no answer. */
  | { readonly kind: 'asking'; readonly questions: readonly Question[] }
  | {
      readonly kind: 'checked'
      /** With their answers, which the merchant can change. */
      readonly questions: readonly Question[]
      readonly warnings: readonly string[]
      readonly rows: readonly AcceptedRow[]
      readonly refused: readonly RefusedRow[]
      readonly leftOut: readonly LeftOutRow[]
    }

/**
 * What becomes of each row of a file, as far as the file alone says it.
 *
 * @throws FileRefusal for more than 20,000 invoices.
 */
export function checkTable(table: Table, choices: Choices, defaults: FileDefaults): CheckedTable {
  const { mapping } = choices
  const missing = missingColumns(mapping)
  if (missing.length > 0) return { kind: 'incomplete', missing }
  const { invoices, leftOut } = sortRows(table, mapping)
  refuseManyInvoices(invoices.length)
  const { rules, questions, warnings } = readingRules({ table, invoices, choices, defaults })
  if (rules === null) return { kind: 'asking', questions }

  const rows: AcceptedRow[] = []
  const refused: RefusedRow[] = []
  const seen = new Map<string, ImportRow>()
  for (const lines of linesByInvoice(invoices, mapping)) {
    const outcome = readInvoice(lines, rules, seen)
    if ('invoice' in outcome) rows.push(outcome)
    else refused.push(...outcome.map((refusal) => refusedRow(refusal, rules)))
  }
  return {
    kind: 'checked',
    questions,
    warnings,
    rows: rows.sort((a, b) => a.invoice.row - b.invoice.row),
    refused: refused.sort((a, b) => a.row - b.row),
    leftOut,
  }
}

type Lines = readonly [TableRow, ...TableRow[]]

/** A file with the amounts of lines has several rows for an invoice. */
function linesByInvoice(rows: readonly TableRow[], mapping: Mapping): readonly Lines[] {
  if (!mapping.includes('lineTotal') || mapping.includes('amount')) return rows.map((row) => [row])
  const text = ({ cells }: TableRow, target: Target) => cellText(cells[mapping.indexOf(target)])
  const invoices = new Map<string, [TableRow, ...TableRow[]]>()
  for (const row of rows) {
    const number = normalizedNumber(text(row, 'number'))
    const key = JSON.stringify([
      number,
      comparedName(text(row, 'client')),
      text(row, 'clientNumber'),
    ])
    const lines = invoices.get(key)
    if (lines === undefined || number === '')
      invoices.set(number === '' ? `${row.row}` : key, [row])
    else lines.push(row)
  }
  return [...invoices.values()]
}

interface Refusal {
  readonly row: TableRow
  readonly target: Target
  readonly reason: string
}

/** A refused line refuses its invoice: the sum would be too small. */
function readInvoice(
  lines: Lines,
  rules: ReadingRules,
  seen: Map<string, ImportRow>,
): AcceptedRow | readonly Refusal[] {
  const notes: string[] = []
  const [first] = lines
  let current = first
  try {
    const fields: Fields = { row: first, rules, notes }
    const { amountTarget, ...head } = headOf(fields)
    let amount = 0
    for (const line of lines) {
      current = line
      amount += amountOfLine({ row: line, rules, notes }, { first: fields, amountTarget, ...head })
    }
    current = first
    refuseWithoutDebt(amount, amountTarget)
    const invoice = parsedInvoice({
      row: first.row,
      ...head,
      amount,
      openAmount: openAmountOf(fields, amount, head.currency),
      ...detailsOf(fields),
      client: { name: head.client, ...contactOf(fields) },
      textConsent: consentOf(fields),
    })
    refuseRepeated(invoice, seen)
    return { invoice, notes }
  } catch (error) {
    if (!(error instanceof RowRefusal)) throw error
    const { target, message } = error
    return lines.map((row) =>
      row === current
        ? { row, target, reason: message }
        : {
            row,
            target,
            reason: `Row ${formatCount(current.row)} of the same invoice is refused.`,
          },
    )
  }
}

/** What all lines of an invoice share. */
function headOf(fields: Fields) {
  const number = requiredText(fields, 'number', 'invoice number')
  const client = requiredText(fields, 'client', 'client')
  const issueDate = dayOf(fields, 'issueDate')
  return {
    number,
    client,
    issueDate,
    dueDate: dueDate(fields, issueDate),
    currency: currencyOfRow(fields),
    amountTarget: fields.rules.mapping.includes('amount') ? 'amount' : 'lineTotal',
  } as const
}

type Head = ReturnType<typeof headOf>

function amountOfLine(line: Fields, head: Head & { readonly first: Fields }): number {
  const { amountTarget, currency, first } = head
  if (line.row !== first.row)
    for (const target of ['issueDate', 'dueDate', 'terms', 'currency'] as const)
      if (textOf(line, target) !== textOf(first, target))
        throw new RowRefusal(
          target,
          `Row ${formatCount(first.row.row)} of the same invoice has another value: ${textOf(first, target) || 'none'}.`,
        )
  const amount = minorOf(line, amountTarget, currency)
  if (amount === null) throw new RowRefusal(amountTarget, 'No amount.')
  return amount
}

function refuseWithoutDebt(amount: number, target: Target): void {
  if (amount < 0)
    throw new RowRefusal(target, 'The amount is negative. Record it as a credit of the client.')
  if (amount === 0) throw new RowRefusal(target, 'The amount is 0, so nothing is owed.')
}

/** @throws RowRefusal for a text that is too long or has characters that cannot be shown. */
function parsedInvoice(invoice: ImportRow): ImportRow {
  const parsed = importRow.safeParse(invoice)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new RowRefusal(issue?.path[0] === 'client' ? 'client' : 'number', issue?.message ?? '')
}

function refuseRepeated(invoice: ImportRow, seen: Map<string, ImportRow>): void {
  const { client, number, row } = invoice
  const ofClient = client.number ?? [comparedName(client.name), client.email]
  const key = JSON.stringify([ofClient, normalizedNumber(number)])
  const earlier = seen.get(key)
  if (earlier === undefined) {
    seen.set(key, invoice)
    return
  }
  const written = { number, row, client: { ...earlier.client, name: client.name } }
  const same = JSON.stringify({ ...earlier, ...written }) === JSON.stringify(invoice)
  throw new RowRefusal(
    'number',
    `Row ${formatCount(earlier.row)} has the same client and invoice number${same ? '' : ', with other values'}.`,
  )
}

/** Spaces and case make no other client. */
const comparedName = (name: string) =>
  name.normalize('NFKC').replace(/\s+/gu, ' ').trim().toLowerCase()

function refusedRow({ row, target, reason }: Refusal, rules: ReadingRules): RefusedRow {
  const fields: Fields = { row, rules, notes: [] }
  const text = (wanted: Target) => textOf(fields, wanted)
  return {
    row: row.row,
    reason,
    target,
    written: {
      number: text('number'),
      client: text('client'),
      due: text('dueDate') || text('terms'),
      open: text('openAmount') || text('amount') || text('lineTotal'),
    },
  }
}
