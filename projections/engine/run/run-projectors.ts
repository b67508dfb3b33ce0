import { grantedLocks } from '#services/postgres/granted-locks'
import { z } from 'zod'
import { createBackoff } from '#services/foundation/backoff'
import { createOutageLog } from '#services/foundation/outage-log'
import { sleep } from '#services/foundation/sleep'
import type { Queryable } from '#services/foundation/queryable'
import { allRows, firstRow } from '#services/foundation/rows'
import { isDivisible, schemaOf, type ReadModel } from '../read-model.ts'
import { sharingKey } from './lease-keys.ts'
import { releaseSharedLease, takeSharedLease, type Lease } from '#services/postgres/lease'
import { createProjector, type ProjectorOptions } from './projector.ts'
import { queryOnce } from './query-once.ts'

export interface RunProjectorsOptions extends Omit<ProjectorOptions, 'shard' | 'takeLease'> {
  /** Number of shards of a divisible read model that does not exist yet (1). */
  readonly shards?: number
  readonly signal: AbortSignal
}

const processRow = z.object({ is_me: z.boolean() })
const shardsRow = z.object({ shards: z.int() })

const assignmentPollMs = 1_000
/** At most 5 s: until the retry succeeds, pages show the rows of before the outage. */
const retryLimits = { firstMs: 500, longestMs: 5_000 }

/**
 * Projects a read model, together with other processes, until `signal` aborts. With one shard, the
 * process with the lease projects and the others wait for the lease. With several shards, each
 * process gets an equal part, and the shards are assigned again when a process starts or ends. Each
 * shard has a lease, so two processes never write the same shard during a change. Never rejects.
 */
export async function runProjectors(options: RunProjectorsOptions): Promise<void> {
  const { connectionString, model, log, signal } = options
  const backoff = createBackoff(retryLimits)
  const outage = createOutageLog(log, {
    began: 'Reading the shard assignment failed; retrying with backoff.',
    lasts: 'The shard assignment still cannot be read.',
    over: 'The shard assignment is read again.',
  })
  const onJoined = () => {
    backoff.reset()
    outage.over({ projection: schemaOf(model) })
  }
  while (!signal.aborted) {
    try {
      const of =
        (await queryOnce(connectionString, (db) => shardsOf(db, model))) ??
        (isDivisible(model) ? (options.shards ?? 1) : 1)
      await shareShards(options, of, onJoined)
    } catch (error) {
      if (signal.aborted) return
      const againInMs = backoff.next()
      outage.failed(error, { projection: schemaOf(model), againInMs })
      await sleep(againInMs, signal)
    }
  }
}

/** Projects the assigned shards until `signal` aborts or the number of shards changes. */
async function shareShards(
  options: RunProjectorsOptions,
  of: number,
  onJoined: () => void,
): Promise<void> {
  const { connectionString, model, signal } = options
  const membership = await takeSharedLease(connectionString, sharingKey(model))
  onJoined()
  const stop = AbortSignal.any([signal, membership.lost])
  const running = new Map<
    number,
    { readonly stopping: AbortController; readonly finished: Promise<void> }
  >()
  const sharing: { is: 'member' | 'leaving' | 'left' } = { is: 'member' }
  const runOnlyShards = async (assigned: ReadonlySet<number>) => {
    const surplus = [...running].filter(([index]) => !assigned.has(index))
    for (const [, { stopping }] of surplus) stopping.abort()
    await Promise.all(
      surplus.map(([index, { finished }]) => finished.then(() => running.delete(index))),
    )
    for (const index of assigned) {
      if (running.has(index)) continue
      const stopping = new AbortController()
      const onNewer = () => {
        if (sharing.is === 'member') sharing.is = 'leaving'
        options.onNewer?.()
      }
      const finished = createProjector({ ...options, shard: { index, of }, onNewer }).run(
        AbortSignal.any([stop, stopping.signal]),
      )
      running.set(index, { stopping, finished })
    }
  }
  try {
    while (!stop.aborted) {
      const now = await shardsOf(membership.connection, model)
      if (now !== null && now !== of) return
      if (sharing.is === 'leaving') {
        // The processes of a newer release get every shard. This process tries to run all of them,
        // and each lease decides.
        await releaseSharedLease(membership.connection, sharingKey(model))
        sharing.is = 'left'
      }
      await runOnlyShards(
        sharing.is === 'left' ? allShards(of) : await assignedShards(membership, model, of),
      )
      await sleep(assignmentPollMs, stop)
    }
  } finally {
    await runOnlyShards(new Set())
    await membership.release()
  }
}

/**
 * With N processes in the order of their connection, process k (from 0) gets the shards whose index
 * modulo N is k. A single shard is assigned to every process: its lease decides.
 */
async function assignedShards(
  { connection }: Lease,
  model: ReadModel,
  of: number,
): Promise<ReadonlySet<number>> {
  if (of === 1) return new Set([0])
  const rows = await allRows(
    connection,
    processRow,
    `SELECT l.pid = pg_backend_pid() AS is_me FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
     WHERE l.mode = 'ShareLock' AND ${grantedLocks('$1')}
     ORDER BY a.backend_start, l.pid`,
    [sharingKey(model)],
  )
  const place = rows.findIndex(({ is_me }) => is_me)
  return new Set([...allShards(of)].filter((index) => index % rows.length === place))
}

function allShards(of: number): ReadonlySet<number> {
  return new Set(Array.from({ length: of }, (_, index) => index))
}

/** The number of shards. Null if the read model has no checkpoint. */
async function shardsOf(db: Queryable, { name, version }: ReadModel): Promise<number | null> {
  const row = await firstRow(
    db,
    shardsRow,
    'SELECT shards FROM projection.checkpoint WHERE name = $1 AND version = $2 LIMIT 1',
    [name, version],
  )
  return row?.shards ?? null
}
