import type { RequestContext } from './endpoint.ts'

/** What the wait needs of a request. */
export interface ReadContext extends Pick<RequestContext, 'setHeader'> {
  readonly customer: Pick<RequestContext['customer'], 'position' | 'userId'>
  readonly admin: Pick<RequestContext['admin'], 'position'>
}

/** Waits at most 2 s until the read models show the session's own writes. */
export type ReadYourWrites<Model> = (
  context: ReadContext,
  models: readonly Model[],
) => Promise<void>

const readYourWritesTimeoutMs = 2_000

/**
 * If the read models do not reach the session's position in time, the answer has the header
 * `X-Own-Writes: pending`. If the customer's events are parked in one of them, it has
 * `X-Own-Writes: parked` at once: the data is behind until an operator has acted. Both functions
 * come from the projection engine.
 */
export function createReadYourWrites<Model>(
  waitUntil: (models: readonly Model[], position: string, timeoutMs: number) => Promise<boolean>,
  isParked: (models: readonly Model[], userId: string) => Promise<boolean>,
): ReadYourWrites<Model> {
  return async (context, models) => {
    const positions = [context.customer.position, context.admin.position].filter(
      (position) => position !== null,
    )
    const shown = await Promise.all(
      positions.map((position) => waitUntil(models, position, readYourWritesTimeoutMs)),
    )
    const { userId } = context.customer
    if (userId !== null && (await isParked(models, userId)))
      context.setHeader('X-Own-Writes', 'parked')
    else if (shown.includes(false)) context.setHeader('X-Own-Writes', 'pending')
  }
}
