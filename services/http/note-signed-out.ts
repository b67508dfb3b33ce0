import { withTimeout } from '#services/foundation/timeout'
import type { RequestContext } from './endpoint.ts'

/** How long a logout waits until its event is recorded, in milliseconds. */
const recordLimitMs = 1_000

/**
 * Records a logout with `note`, before the session ends. A logout succeeds also if the event store
 * is unavailable. Its event is then missing, and the log has `who`. A repeat of `note` must record
 * nothing: if the session cannot be ended, the logout is repeated.
 */
export async function noteSignedOut(
  { log }: Pick<RequestContext, 'log'>,
  who: { readonly userId: string } | { readonly adminId: string },
  note: () => Promise<void>,
): Promise<void> {
  const noted = note().catch((error: unknown) => {
    log.error({ err: error, ...who }, 'A logout could not be recorded.')
  })
  await withTimeout(recordLimitMs, noted, () => undefined)
}
