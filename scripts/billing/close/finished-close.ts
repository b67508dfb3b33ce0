import { proveLog } from '#services/event-store/audit/proven-log'
import { createKeylessCodec } from '#services/event-store/encryption/codec'
import { monthOf, type Month } from '#services/finance/calendar'
import { daysIn } from '#services/finance/time-zone'
import { UsageError } from '#services/foundation/startup-error'
import { categoryOf } from '#services/foundation/stream-names'
import type { OperatorContext } from '#services/operations/operator-context'
import { readCloses, type FinishedClose, type MonthClose } from '#services/reports/closing/closes'
import { businessTime } from '../business-time.ts'
import { showProgress, type Progress } from '../progress.ts'

type ClosesContext = Pick<OperatorContext, 'config' | 'pool' | 'store' | 'proof'>

/**
 * The closes of all months, whose events are genuine. Shows its progress if it has to read the log.
 */
export async function allCloses({
  config,
  pool,
  store,
  proof,
}: ClosesContext): Promise<readonly MonthClose[]> {
  const current = monthOf(daysIn(config.reportingTimeZone)(await businessTime(pool)))
  const started: Progress[] = []
  const isClose = ({ stream }: { readonly stream: string }) => categoryOf(stream) === 'close'
  const log = { store: proveLog(store, proof, isClose), codec: createKeylessCodec() }
  return readCloses(log, current, (count) => {
    if (started.length === 0)
      started.push(showProgress({ doing: 'Looking for a close', unit: 'events', total: null }))
    started[0]?.advance(count)
  }).finally(() => started[0]?.end())
}

/**
 * The close of a month, and whether it is the first one.
 * @throws UsageError if the month is not closed
 */
export async function finishedClose(
  context: ClosesContext,
  month: Month,
): Promise<{ readonly close: FinishedClose; readonly isFirst: boolean }> {
  const closes = await allCloses(context)
  const index = closes.findIndex((close) => close.month === month)
  const close = closes[index]
  if (close === undefined)
    throw new UsageError(
      `Month ${month} has no close. 'billing close list' lists the closed months.`,
    )
  const { closed } = close
  if (closed === null)
    throw new UsageError(
      `The close of ${month} was interrupted. Run 'billing close ${month}' to complete it.`,
    )
  return { close: { ...close, closed }, isFirst: index === 0 }
}
