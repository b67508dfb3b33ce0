import type { UserId } from '#contracts/ids'
import type { InvoicesQuery } from '#contracts/receivables/invoices'
import type { LeftStep } from '../receivables-queries.ts'
import type { Schedules } from './schedules.ts'

/**
 * The steps that decide which invoices have none left. Null: the last one is repeated, so that one
 * is always left, or the list does not ask.
 */
export async function leftStepsOf(
  schedules: Pick<Schedules, 'read'>,
  merchantId: UserId,
  { steps }: Pick<InvoicesQuery, 'steps'>,
): Promise<readonly LeftStep[] | null> {
  if (steps === undefined) return null
  const { schedule } = await schedules.read(merchantId)
  return schedule.repeatLastEvery === null ? schedule.steps : null
}
