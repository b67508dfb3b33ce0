import { currencyExponent } from '#contracts/currency'
import { formatCount } from '../../../../lib/money.ts'
import { fullDay } from '../../shared/days.ts'
import { cellText, isEmptyCell } from '../file/file-row.ts'
import type { TableRow } from '../table/table.ts'
import type { Choices } from '../table/remembered-choices.ts'
import type { AmountTarget, DateTarget } from '../table/targets.ts'
import { readAmount, type DecimalSign } from '../values/read-amount.ts'
import { readDate, type DayOrder } from '../values/read-date.ts'
import { decide, type Decision, type Question, type Vote } from './questions.ts'

/** How a column is read, and the question about it if the file does not say it. */
export interface ColumnChoice<Choice> {
  /** Null: the merchant has not answered yet. */
  readonly choice: Choice | null
  readonly question: Question | null
}

export function dateColumn(
  rows: readonly TableRow[],
  { target, index, choices }: DateColumn,
): ColumnChoice<DayOrder> {
  const votes = rows.flatMap(({ row: number, cells }): readonly Vote<DayOrder>[] => {
    const read = readDate(cells[index], 1900)
    if (read.kind === 'empty') return []
    const text = cellText(cells[index])
    return [{ row: number, text, reads: read.kind === 'one' ? null : orderOf(read.readings) }]
  })
  const decision = decide<DayOrder>(votes, ['month-first', 'day-first'])
  if (decision.kind === 'decided') return { choice: decision.choice, question: null }
  const { example } = decision
  const answer = choices.dayOrders[target] ?? null
  return {
    choice: answer,
    question: {
      kind: 'dates',
      target,
      ...whyAsked(decision, ['which has the month first', 'which has the day first']),
      values: votes.length,
      readings: [
        {
          choice: 'month-first',
          label: 'Month first',
          example: dayExample(example, 'month-first'),
        },
        { choice: 'day-first', label: 'Day first', example: dayExample(example, 'day-first') },
      ],
      answer,
    },
  }
}

/** `readings`: what the rows that contradict each other have, in the order of the choices. */
function whyAsked<Choice>(
  { example, ambiguous, contradicting }: Extract<Decision<Choice>, { readonly kind: 'open' }>,
  readings: readonly [string, string],
): Pick<Question, 'value' | 'ambiguous' | 'contradiction'> {
  const sentences = contradicting?.map(
    ({ row: number, text }, index) => `Row ${formatCount(number)} has ${text}, ${readings[index]}.`,
  )
  return { value: example.text, ambiguous, contradiction: sentences?.join(' ') ?? null }
}

interface DateColumn {
  readonly target: DateTarget
  readonly index: number
  readonly choices: Choices
}

function orderOf(readings: Readonly<Record<DayOrder, object>>): DayOrder | 'either' {
  if ('problem' in readings['month-first']) return 'day-first'
  return 'problem' in readings['day-first'] ? 'month-first' : 'either'
}

function dayExample({ text }: Vote<DayOrder>, order: DayOrder): string {
  const read = readDate(text, 1900)
  const reading = read.kind === 'by-order' ? read.readings[order] : null
  return reading !== null && 'day' in reading
    ? `${text} is ${fullDay(reading.day)}`
    : `${text} is no date`
}

/**
 * A spreadsheet that opens dates of another country makes wrong days of some, and leaves the others
 * as texts. Null if nothing of the column looks like that.
 */
export function mangledDates(
  rows: readonly TableRow[],
  index: number,
  name: string,
): string | null {
  const typed = rows.filter(({ cells }) => typeof cells[index] === 'object')
  const text = rows.find(({ cells }) => {
    const cell = cells[index]
    if (typeof cell !== 'string' || isEmptyCell(cell)) return false
    const read = readDate(cell, 1900)
    return read.kind === 'by-order' && orderOf(read.readings) !== 'either'
  })
  const [first] = typed
  if (first === undefined || text === undefined) return null
  return `The column ${name} has dates, such as in row ${formatCount(first.row)}, and texts, such as ${cellText(text.cells[index])} in row ${formatCount(text.row)}. A spreadsheet program may have exchanged days and months. Compare the dates with the invoices.`
}

interface AmountColumn {
  readonly target: AmountTarget
  readonly index: number
  readonly choices: Choices
  readonly currencyOf: (row: TableRow, unit: string) => string | null
}

export function amountColumn(
  rows: readonly TableRow[],
  { target, index, choices, currencyOf }: AmountColumn,
): ColumnChoice<DecimalSign> {
  const votes = rows.flatMap((each): readonly Vote<DecimalSign>[] => {
    const read = readAmount(each.cells[index])
    if (read.kind !== 'amount') return []
    const decimals = currencyExponent(currencyOf(each, read.unit) ?? 'usd')
    return [
      { row: each.row, text: cellText(each.cells[index]), reads: signOf(read.readings, decimals) },
    ]
  })
  const decision = decide<DecimalSign>(votes, ['point', 'comma'])
  if (decision.kind === 'decided') return { choice: decision.choice, question: null }
  const { example } = decision
  const answer = choices.decimalSigns[target] ?? null
  return {
    choice: answer,
    question: {
      kind: 'amounts',
      target,
      ...whyAsked(decision, ['with a decimal point', 'with a decimal comma']),
      values: votes.length,
      readings: [
        { choice: 'point', label: 'Decimal point', example: amountExample(example, 'point') },
        { choice: 'comma', label: 'Decimal comma', example: amountExample(example, 'comma') },
      ],
      answer,
    },
  }
}

/**
 * Only a currency of three decimals has an amount such as 1,234 with a decimal comma: elsewhere it
 * is a thousand. The point of 1.234 is no usual sign of thousands here, so it is asked.
 */
function signOf(
  { point, comma }: Readonly<Record<DecimalSign, Written | null>>,
  decimals: number,
): DecimalSign | 'either' | null {
  if (point === null) return 'comma'
  if (comma === null) return 'point'
  if (point.whole === comma.whole && point.decimals === comma.decimals) return null
  return comma.decimals !== '' && decimals < 3 ? null : 'either'
}

interface Written {
  readonly whole: string
  readonly decimals: string
}

function amountExample({ text }: Vote<DecimalSign>, sign: DecimalSign): string {
  const read = readAmount(text)
  const digits = read.kind === 'amount' ? read.readings[sign] : null
  if (digits === null) return `${text} is no amount`
  const whole = formatCount(Number(digits.whole))
  return `${text} is ${digits.decimals === '' ? whole : `${whole}.${digits.decimals}`}`
}
