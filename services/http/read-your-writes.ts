import type { RequestContext } from './endpoint.ts'

/** What the wait needs of a request. */
export interface ReadContext extends Pick<RequestContext, 'setHeader'> {
  readonly customer: Pick<RequestContext['customer'], 'position'>
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
 * `X-Own-Writes: pending`. `waitUntil` comes from the projection engine.
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
