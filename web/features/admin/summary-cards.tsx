import type { AdminSummary } from '#contracts/admin/summary'
import { formatDay } from '../../lib/dates.ts'
import { formatCount, formatMoney, formatRoundMoney } from '../../lib/money.ts'
import { Sparkline } from '../../ui/sparkline.tsx'
import { totalTitles } from './total-in-words.ts'
import { TotalLink } from './total-link.tsx'

type Total = Exclude<keyof AdminSummary['trends'][number], 'at'>

export function SummaryCards({ summary }: { summary: AdminSummary }) {
  const readout = (total: Total) => <Readout total={total} summary={summary} format={formatCount} />
  return (
    <section className="panel readouts" aria-label="Summary">
      {readout('totalUsers')}
      {readout('activeUsers')}
      <Readout
        total="totalRevenue"
        summary={summary}
        format={(amount) => formatRoundMoney(amount, summary.currency)}
        notes={[
          // Amounts of different currencies are not added.
          ...summary.otherRevenue.map(({ currency, amount }) => formatMoney(amount, currency)),
          ...(summary.lostDisputes > 0 ? ['Lost disputes still count'] : []),
        ]}
      />
      {readout('activePlans')}
      {readout('activeSubscriptions')}
    </section>
  )
}

interface ReadoutProps {
  readonly total: Total
  readonly summary: AdminSummary
  readonly format: (figure: number) => string
  readonly notes?: readonly string[]
}

/** A total and its course. The last value of the course is the total. */
function Readout({ total, summary, format, notes = [] }: ReadoutProps) {
  const label = totalTitles[total]
  const figure = format(summary[total])
  const [first] = summary.trends
  return (
    <div>
      <h2 className="label">{label}</h2>
      <div className="readout-figure">
        <strong>
          <TotalLink total={total}>{figure}</TotalLink>
        </strong>
        {first && (
          <Sparkline
            values={summary.trends.map((each) => each[total])}
            label={`${label} since ${formatDay(first.at)}: from ${format(first[total])} to ${figure}`}
          />
        )}
      </div>
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
    </div>
  )
}
