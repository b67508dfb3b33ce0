import { countedAfter } from '#projections/engine/operate/overview'
import { projectionStatus, type ProjectionStatus } from '#projections/engine/operate/status'
import type { ReadModel } from '#projections/engine/read-model'
import type { Queryable } from '#services/foundation/queryable'
import type { EventStore } from '#services/event-store/event-store'
import { withTimeout } from '#services/foundation/timeout'
import { formatCount } from '#services/foundation/format-count'

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
