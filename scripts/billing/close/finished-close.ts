import { createKeylessCodec } from '#services/event-store/encryption/codec'
import { monthOf, type Month } from '#services/finance/calendar'
import { daysIn } from '#services/finance/time-zone'
import { UsageError } from '#services/foundation/startup-error'
import type { OperatorContext } from '#services/operations/operator-context'
import { readCloses, type FinishedClose, type MonthClose } from '#services/reports/closing/closes'
import { businessTime } from '../business-time.ts'

/** The closes of all months up to now. */
export async function allCloses({
  config,
  pool,
  store,
}: Pick<OperatorContext, 'config' | 'pool' | 'store'>): Promise<readonly MonthClose[]> {
  const current = monthOf(daysIn(config.reportingTimeZone)(await businessTime(pool)))
  return readCloses({ store, codec: createKeylessCodec() }, current)
}

/**
 * The close of a month, and whether it is the first one.
 * @throws UsageError if the month is not closed
 */
export async function finishedClose(
  context: Pick<OperatorContext, 'config' | 'pool' | 'store'>,
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
