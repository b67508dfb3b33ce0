import { countedAfter } from '#projections/engine/operate/overview'
import { projectionStatus, type ProjectionStatus } from '#projections/engine/operate/status'
import type { ReadModel } from '#projections/engine/read-model'
import type { Queryable } from '#services/foundation/queryable'
import type { EventStore } from '#services/event-store/event-store'
import { withTimeout } from '#services/foundation/timeout'
import { formatCount } from '#services/foundation/format-count'
import { HttpError } from '#services/http/http-error'

/**
 * Time limit of the count: the rest of the progress comes from the database and does not wait for
 * the event store.
 */
const countWithinMs = 1_000

export async function statusOf(
  db: Queryable,
  model: Pick<ReadModel, 'name' | 'version'>,
): Promise<ProjectionStatus | undefined> {
  return (await projectionStatus(db)).find(
    (each) => each.name === model.name && each.version === model.version,
  )
}

/**
 * `412,000 of 1,000,000 events so far`; without the second number if the event store does not
 * answer within `countWithinMs`.
 */
export async function buildProgress(
  store: Pick<EventStore, 'countAfter'>,
  status: ProjectionStatus | undefined,
): Promise<string> {
  const done = status?.eventsDone ?? 0
  const left = await withTimeout(
    countWithinMs,
    countedAfter(store, status?.position ?? null),
    () => null,
  )
  const total = left === null ? '' : ` of ${formatCount(done + left)}`
  return `${formatCount(done)}${total} events so far`
}

/**
 * The answer of a page whose read model is not built yet. A pause does not end by itself, and the
 * sentence names no event, because customers read it, too.
 */
export async function notBuilt(
  store: Pick<EventStore, 'countAfter'>,
  db: Queryable,
  model: Pick<ReadModel, 'name' | 'version'>,
): Promise<HttpError> {
  const status = await statusOf(db, model)
  const progress = await buildProgress(store, status)
  return status?.state === 'paused'
    ? new HttpError(
        503,
        `This page cannot be shown: the build of its data (${model.name}) is paused at an event that cannot be folded, ${progress}. An operator must act: 'billing projections status' names the event and the commands.`,
        { retryAfterSeconds: 60 },
      )
    : new HttpError(
        503,
        `This page is being prepared: its data (${model.name}) is still being built, ${progress}. Please try again in a moment.`,
        { retryAfterSeconds: 2 },
      )
}
