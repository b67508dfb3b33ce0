import { Command } from 'commander'
import type { Month } from '#services/finance/calendar'
import type { Adjustment } from '#services/finance/closing/adjustments'
import { accounts } from '#services/finance/ledger/accounts'
import { daysIn } from '#services/finance/time-zone'
import { formatCount } from '#services/foundation/format-count'
import type { OperatorContext } from '#services/operations/operator-context'
import type { FinishedClose } from '#services/reports/closing/closes'
import { explainClose } from '#services/reports/closing/explain-close'
import type { ReportRow } from '#services/finance/reports/report-types'
import { financeLog } from '#services/reports/finance-log'
import { alignedTable, type TableColumn } from '#services/reports/formats/text-table'
import { businessTime } from '../business-time.ts'
import { onSourceLog } from '../on-source-log.ts'
import { showProgress } from '../progress.ts'
import { closeInWords } from './close-in-words.ts'
import { finishedClose } from './finished-close.ts'
import { parseClosedMonth } from './parse-closed-month.ts'
import { print } from '../print.ts'

const columns: readonly TableColumn[] = [
  { name: 'event_id', kind: 'id' },
  { name: 'type', kind: 'text' },
  { name: 'occurred', kind: 'day' },
  { name: 'booked', kind: 'day' },
  { name: 'figure', kind: 'text' },
  { name: 'currency', kind: 'currency' },
  { name: 'debit', kind: 'amount' },
  { name: 'credit', kind: 'amount' },
  { name: 'mrr', kind: 'amount' },
]

const summaryColumns: readonly TableColumn[] = [
  { name: 'account', kind: 'text' },
  { name: 'currency', kind: 'currency' },
  { name: 'at_close', kind: 'amount' },
  { name: 'adjustments', kind: 'amount' },
  { name: 'adjusted', kind: 'amount' },
]

export function showCommand(): Command {
  return new Command('show')
    .description('Show the totals of a closed month, and the adjustments that came later.')
    .argument('<month>', 'a closed month, such as 2026-03')
    .action((text: string) => {
      const month = parseClosedMonth(text)
      return onSourceLog((context) => show(context, month))
    })
}

async function show(context: OperatorContext, month: Month): Promise<void> {
  const { config, pool, store, proof } = context
  const log = financeLog(store, proof)
  const { close } = await finishedClose(context, month)
  const { reportingTimeZone: timeZone } = config
  const dayOf = daysIn(timeZone)
  const progress = showProgress({
    doing: 'Reading',
    unit: 'events',
    total: await store.countAfter(null),
  })
  const adjustments = await explainClose(
    log,
    { month, through: dayOf(await businessTime(pool)), timeZone },
    progress.advance,
  ).finally(progress.end)
  print(`${closeInWords(close)}\n`)
  if (adjustments.length === 0) {
    print('No adjustment: no event of the month was recorded after the close.\n')
    return
  }
  const rows = adjustments.flatMap((each) => rowsOf(each, dayOf(each.event.metadata.occurredAt)))
  print(
    `Adjustments of ${month} by ${formatCount(adjustments.length)} later ${adjustments.length === 1 ? 'event' : 'events'}:\n\n${alignedTable(columns, rows)}\nThe month with its adjustments, debits less credits:\n\n${alignedTable(summaryColumns, withAdjustments(close, adjustments))}`,
  )
}

function rowsOf({ event, amounts }: Adjustment, occurred: string): readonly ReportRow[] {
  const of = { event_id: event.id, type: event.type, occurred }
  if (amounts.length === 0) return [{ ...of, figure: 'no amount' }]
  return amounts.map(({ figure, currency, amount, booked }): ReportRow => {
    const row = { ...of, booked, figure, currency }
    return figure.startsWith('mrr ')
      ? { ...row, mrr: amount }
      : { ...row, debit: Math.max(0, amount), credit: Math.max(0, -amount) }
  })
}

/** Debits less credits by account and currency, in the order of the chart of accounts. */
function withAdjustments(
  { closed }: FinishedClose,
  adjustments: readonly Adjustment[],
): readonly ReportRow[] {
  const amounts = adjustments.flatMap((each) => each.amounts)
  const currencies = [...closed.totals, ...amounts].map(({ currency }) => currency)
  return [...new Set(currencies)].sort().flatMap((currency) =>
    accounts.flatMap((account) => {
      const total = closed.totals.find(
        (each) => each.account === account && each.currency === currency,
      )
      const adjusting = amounts.filter(
        (each) => each.figure === account && each.currency === currency,
      )
      if (total === undefined && adjusting.length === 0) return []
      const atClose = total === undefined ? 0 : total.debit - total.credit
      const later = adjusting.reduce((sum, { amount }) => sum + amount, 0)
      const adjusted = atClose + later
      return { account, currency, at_close: atClose, adjustments: later, adjusted }
    }),
  )
}
