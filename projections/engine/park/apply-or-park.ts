import type { StoredEvent } from '#services/event-store/event-store'
import { applyBatch, PoisonEvent, type ApplyOptions } from '../run/apply-batch.ts'

export interface ApplyOrParkOptions extends ApplyOptions {
  /**
   * Skips a poison event: parks its stream, or finds that an operator skipped it. All events
   * before the event are written. False: the event must stop the caller.
   */
  readonly skip: (poison: PoisonEvent) => Promise<boolean>
}

/**
 * Writes a batch as `applyBatch` does, and skips its poison events. Only the first waits for its
 * retries: the other streams wait for them, too.
 * @throws PoisonEvent if `skip` returns false
 * @throws FencedOff
 */
export async function applyOrPark(
  events: readonly StoredEvent[],
  options: ApplyOrParkOptions,
): Promise<void> {
  let { retryDelaysMs } = options
  for (let rest = events; rest.length > 0;) {
    try {
      return await applyBatch(rest, { ...options, retryDelaysMs })
    } catch (error) {
      if (!(error instanceof PoisonEvent) || !(await options.skip(error))) throw error
      rest = rest.slice(rest.indexOf(error.event) + 1)
      retryDelaysMs = []
    }
  }
}
