import { NewerEvent } from '#services/event-store/newer-event'
import { GateIsFull } from '#services/foundation/work-gate'
import type { Limit } from './limits.ts'

/** A limit and the key that it counts. */
export type Count = readonly [limit: Limit, key: string]

/** Gives back what was counted: it succeeded, or was not done. */
export type GiveBack = () => Promise<void>

/**
 * Counts all or, if one is used up, none.
 * @throws HttpError 429 with Retry-After
 */
export async function spendAll(counts: readonly Count[]): Promise<GiveBack> {
  const spent: Count[] = []
  const giveBack = async () => {
    for (const [limit, key] of spent) await limit.refund(key)
  }
  try {
    for (const count of counts) {
      const [limit, key] = count
      await limit.spend(key)
      spent.push(count)
    }
  } catch (error) {
    await giveBack()
    throw error
  }
  return giveBack
}

/**
 * Counts a try before `work` checks it, so that tries at the same time count too. A success gives
 * it back. So does a full gate, and an event of a newer release: nothing was compared then. After
 * any other error the try stays counted, because an outage must not give free guesses.
 * @throws HttpError 429 with Retry-After
 */
export async function countTry<Result>(
  counts: readonly Count[],
  work: () => Promise<Result>,
): Promise<Result> {
  const giveBack = await spendAll(counts)
  const result = await work().catch(async (error: unknown) => {
    if (error instanceof GateIsFull || error instanceof NewerEvent) await giveBack()
    throw error
  })
  await giveBack()
  return result
}
