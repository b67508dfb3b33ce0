import type { RequestContext } from './endpoint.ts'

/** Waits, two seconds at most, until the read models show what this session wrote. */
export type ReadYourWrites<Model> = (
  context: RequestContext,
  models: readonly Model[],
) => Promise<void>

export const readYourWritesTimeoutMs = 2_000

/**
 * Says in a header when the answer may lack the session's last write. `waitUntil` is the
 * projection engine's.
 */
export function createReadYourWrites<Model>(
  waitUntil: (models: readonly Model[], position: string, timeoutMs: number) => Promise<boolean>,
): ReadYourWrites<Model> {
  return async (context, models) => {
    const positions = [context.customer.position, context.admin.position].filter(
      (position) => position !== null,
    )
    const shown = await Promise.all(
      positions.map((position) => waitUntil(models, position, readYourWritesTimeoutMs)),
    )
    if (shown.includes(false)) context.setHeader('X-Own-Writes', 'pending')
  }
}
