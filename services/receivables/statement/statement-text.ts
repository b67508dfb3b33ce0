import { toMajorUnits } from '#contracts/currency'
import { formatMoney } from '#contracts/format-money'
import type { HeadText, Row } from './branded-pdf.ts'
import { fromLines, toLines, type StatementFile } from './statement-files.ts'

type Part = StatementFile['parts'][number]

interface StatementTextPart {
  readonly currency: string
  /** Invoice, reference, due date, amount, open. */
  readonly open: readonly Row[]
  readonly openSum: string
  /** Day, invoice, what happened, change, balance. */
  readonly lines: readonly Row[]
}

/** The texts of a statement, in the order in which the file has them. */
export interface StatementText extends HeadText {
  readonly parts: readonly StatementTextPart[]
}

/** Earlier movements of a currency are in its first balance. */
export const maxLines = 1_000

const days = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })
const dayText = (day: string) => days.format(new Date(day))

export function statementText({
  merchant,
  client,
  from,
  asOf,
  parts,
}: StatementFile): StatementText {
  return {
    title: 'Statement',
    period: `${dayText(from)} to ${dayText(asOf)}`,
    summary: summaryOf(parts, asOf),
    from: fromLines(merchant),
    to: toLines(client),
    parts: parts.map((part) => partText(part, from)),
  }
}

function summaryOf(parts: StatementFile['parts'], asOf: string): readonly string[] {
  const owed = parts.filter(({ closing }) => closing !== 0)
  if (owed.length === 0) return [`Nothing is open on ${dayText(asOf)}.`]
  return owed.map(({ currency, closing, overdue }) => {
    const money = moneyIn(currency)
    const late = overdue > 0 ? ` ${money(overdue)} of it is overdue.` : ''
    return `${money(closing)} is open on ${dayText(asOf)}.${late}`
  })
}

function partText(part: Part, from: string): StatementTextPart {
  const { currency, openInvoices, closing } = part
  const money = moneyIn(currency)
  const lines = part.lines.slice(-maxLines)
  const earlier = part.lines.at(-maxLines - 1)
  const opening = earlier?.balance ?? part.opening
  const since = earlier === undefined ? from : (lines[0]?.day ?? from)
  return {
    currency: currency.toUpperCase(),
    open: openInvoices.map(({ number, reference, dueDate, daysOverdue, amount, open }) => ({
      cells: [number, reference ?? '', dayText(dueDate), money(amount), money(open)],
      note: daysOverdue > 0 ? `${daysOverdue} ${daysOverdue === 1 ? 'day' : 'days'} overdue` : '',
    })),
    openSum: money(closing),
    lines: [
      {
        cells: [dayText(since), '', firstBalance(earlier !== undefined), '', money(opening)],
        note: '',
      },
      ...lines.map(({ day, number, text, change, balance }) => ({
        cells: [dayText(day), number, text, money(change), money(balance)],
        note: '',
      })),
    ],
  }
}

function firstBalance(isCut: boolean): string {
  return isCut ? 'Balance of all earlier movements' : 'Balance before this day'
}

function moneyIn(currency: string) {
  return (minor: number) => formatMoney(toMajorUnits(minor, currency), currency)
}
