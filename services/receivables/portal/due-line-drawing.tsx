import type { Day } from '#services/finance/calendar'
import { dueLine } from './due-line.ts'
import type { PortalInvoice } from './portal-invoice.ts'
import { money } from './portal-view.ts'
import { listText, shortDay } from './portal-words.ts'

/**
 * The line of due dates. An SVG, because the security policy allows no style attributes: places are
 * attributes in percent, and the style sheet has the colors.
 */
export function DueLineDrawing({
  invoices,
  today,
}: {
  readonly invoices: readonly PortalInvoice[]
  readonly today: Day
}) {
  const line = dueLine(
    invoices.map(({ dueDate }) => dueDate),
    today,
  )
  const percent = (at: number) => `${at}%`
  const sumOf = (day: Day) => {
    const sums = new Map<string, number>()
    for (const { dueDate, currency, open } of invoices)
      if (dueDate === day) sums.set(currency, (sums.get(currency) ?? 0) + open)
    return [...sums].map(([currency, open]) => money(open, currency))
  }
  const sentence = [
    ...line.dues
      .filter(({ day }) => day < today)
      .map(({ day }) => `${listText(sumOf(day))} was due on ${shortDay(day)}.`),
    `Today is ${shortDay(today)}.`,
    ...line.dues
      .filter(({ day }) => day >= today)
      .map(({ day }) => `${listText(sumOf(day))} is due on ${shortDay(day)}.`),
  ].join(' ')
  return (
    <svg className="pay-line" role="img" aria-label={sentence} width="100%" height="86">
      <line className="pay-ahead" x1={percent(line.today)} y1="35" x2="100%" y2="35" />
      <line className="pay-past" x1="0" y1="35" x2={percent(line.today)} y2="35" />
      {line.ticks.map(({ at, isPast }) => (
        <line
          key={at}
          className={isPast ? 'pay-tick pay-tick-past' : 'pay-tick'}
          x1={percent(at)}
          y1="41"
          x2={percent(at)}
          y2="46"
        />
      ))}
      {line.dues.map(({ day, at, isPast, label }) => (
        <g key={day}>
          <line
            className={isPast ? 'pay-due pay-due-past' : 'pay-due'}
            x1={percent(at)}
            y1="24"
            x2={percent(at)}
            y2="46"
          />
          {label !== null && (
            <>
              <text className="pay-sum" x={percent(at)} y="13" textAnchor={label}>
                {sumOf(day).join(' + ')}
              </text>
              <text
                x={percent(at)}
                y="70"
                textAnchor={Math.abs(at - line.today) < 14 ? sideOf(at, line.today) : label}
              >
                {shortDay(day)}
              </text>
            </>
          )}
        </g>
      ))}
      <line
        className="pay-needle"
        x1={percent(line.today)}
        y1="20"
        x2={percent(line.today)}
        y2="52"
      />
      <text className="pay-today" x={percent(line.today)} y="70" textAnchor={todayAnchor(line)}>
        Today
      </text>
    </svg>
  )
}

/** Beside "Today", a due date continues away from it. */
function sideOf(at: number, today: number): 'start' | 'end' {
  return at <= today ? 'end' : 'start'
}

function todayAnchor({ dues, today }: ReturnType<typeof dueLine>): 'start' | 'middle' | 'end' {
  const near = dues.find(({ at, label }) => label !== null && Math.abs(at - today) < 14)
  if (near !== undefined) return near.at <= today ? 'start' : 'end'
  return 'middle'
}
