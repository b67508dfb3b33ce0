import type { ReceivablesOverview } from '#contracts/receivables/overview'
import { Sparkline } from '../../../ui/sparkline.tsx'
import { money, shareText } from '../shared/amounts.ts'
import { countOf } from '../shared/days.ts'
import { Readout, Readouts } from '../shared/readout.tsx'
import type { OpenFigure } from '../shared/figure-drawer.tsx'

interface OverviewFiguresProps {
  readonly overview: ReceivablesOverview
  readonly onOpen: (figure: OpenFigure) => void
}

/** Four figures with the course of each. A figure opens its events. */
export function OverviewFigures({ overview, onOpen }: OverviewFiguresProps) {
  const { figures, currency } = overview
  const { outstanding, overdue, collected, daysToPay } = figures
  const valuesOf = (series: readonly { readonly value: number }[]) =>
    series.map(({ value }) => value)
  const moneySpark = (name: string, series: readonly { readonly value: number }[]) => (
    <Sparkline
      values={valuesOf(series)}
      label={courseOf(name, series, (v) => money(v, currency))}
    />
  )
  return (
    <Readouts>
      <Readout
        label="Outstanding"
        figure={money(outstanding.amount, currency)}
        note={`${countOf(outstanding.count, 'invoice')}${outstanding.clients === null ? '' : ` of ${countOf(outstanding.clients, 'client')}`}`}
        spark={moneySpark('Outstanding', outstanding.series)}
        opens="Events of outstanding"
        onOpen={() => onOpen({ figure: 'outstanding', title: 'Outstanding' })}
      />
      <Readout
        label="Overdue"
        figure={money(overdue.amount, currency)}
        note={`${countOf(overdue.count, 'invoice')}, ${shareText(overdue.share)}`}
        spark={moneySpark('Overdue', overdue.series)}
        opens="Events of overdue"
        onOpen={() => onOpen({ figure: 'overdue', title: 'Overdue' })}
      />
      <Readout
        label="Collected in 30 days"
        figure={money(collected.amount, currency)}
        note={countOf(collected.count, 'payment')}
        spark={moneySpark('Collected', collected.series)}
        opens="Events of collected"
        onOpen={() => onOpen({ figure: 'collected', title: 'Collected in 30 days' })}
      />
      <Readout
        label="Average days to pay"
        figure={
          daysToPay.days === null ? (
            'None'
          ) : (
            <>
              {daysToPay.days.toFixed(1)}
              <small>days</small>
            </>
          )
        }
        note={
          daysToPay.days === null
            ? 'No invoice with an issue date paid in full in 90 days'
            : `From issue, 90 days, ${countOf(daysToPay.count, 'invoice')}`
        }
        spark={
          <Sparkline
            values={valuesOf(daysToPay.series)}
            label={courseOf('Days to pay', daysToPay.series, (v) => `${v.toFixed(1)} days`)}
          />
        }
        opens="Events of days to pay"
        onOpen={() =>
          onOpen({
            figure: 'daysToPay',
            title: 'Average days to pay',
            shown: daysToPay.days === null ? 'None' : `${daysToPay.days.toFixed(1)} days`,
          })
        }
      />
    </Readouts>
  )
}

function courseOf(
  name: string,
  series: readonly { readonly value: number }[],
  text: (value: number) => string,
): string {
  const first = series[0]?.value ?? 0
  const last = series.at(-1)?.value ?? 0
  return `${name} over ${countOf(series.length - 1, 'week')}: from ${text(first)} to ${text(last)}`
}
