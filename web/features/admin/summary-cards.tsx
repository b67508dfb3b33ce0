import type { AdminSummary } from '#contracts/admin/summary'
import { formatCount, formatMoney, formatRoundMoney } from '../../lib/money.ts'

export function SummaryCards({ summary }: { summary: AdminSummary }) {
  return (
    <section className="panel readouts" aria-label="Summary">
      <Readout label="Total Users" figure={formatCount(summary.totalUsers)} />
      <Readout label="Active Users" figure={formatCount(summary.activeUsers)} />
      <Readout
        label="Total Revenue"
        figure={formatRoundMoney(summary.totalRevenue, summary.currency)}
        notes={[
          // Amounts of different currencies are not added.
          ...summary.otherRevenue.map(({ currency, amount }) => formatMoney(amount, currency)),
          'Lost disputes still count',
        ]}
      />
      <Readout label="Active Plans" figure={formatCount(summary.activePlans)} />
      <Readout label="Active Subscriptions" figure={formatCount(summary.activeSubscriptions)} />
    </section>
  )
}

function Readout({
  label,
  figure,
  notes = [],
}: {
  label: string
  figure: string
  notes?: readonly string[]
}) {
  return (
    <div>
      <h2 className="label">{label}</h2>
      <strong>{figure}</strong>
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
    </div>
  )
}
