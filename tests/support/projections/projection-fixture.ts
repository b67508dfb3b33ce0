import type pg from 'pg'
import { eventCatalogue, type RecordedEvent } from '#contracts/events/catalogue'
import { parkedStreams, type ParkedStream } from '#projections/engine/park/parked-streams'
import { awaitRetry, requestRetry } from '#projections/engine/operate/retry-stream'
import { skipParked } from '#projections/engine/operate/skip-parked'
import { skipEvent } from '#projections/engine/operate/skip-event'
import { projectionStatus, type ProjectionStatus } from '#projections/engine/operate/status'
import { handledTypes, schemaOf, type ReadModel } from '#projections/engine/read-model'
import { rebuild, type RebuildOptions } from '#projections/engine/rebuild/rebuild'
import type { ShadowProgress } from '#projections/engine/rebuild/shadow'
import { verify, type Verification, type VerifyOptions } from '#projections/engine/rebuild/verify'
import { createProjector, type ProjectorOptions } from '#projections/engine/run/projector'
import { waitUntilProjected } from '#projections/engine/run/wait-until-projected'
import type { EventStore, EventToAppend, StoredEvent } from '#services/event-store/event-store'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { refOf } from '#services/payments/stripe/from-stripe/references'
import {
  accountOpened,
  paymentSucceeded,
  profileCompleted,
  subscriptionStarted,
} from '../data/events.ts'
import { createTestDatabase, type TestDatabase } from '../postgres/database.ts'
import {
  startProjectorProcess,
  type ProjectorProcess,
  type ProjectorProcessOptions,
} from './start-projector.ts'

interface RunningProjector {
  /** Finishes the current batch and releases the lease. */
  stop(): Promise<void>
  readonly finished: Promise<void>
  readonly aborted: AbortController
}

/** A log and projectors on a separate database. */
export interface ProjectionFixture {
  readonly db: TestDatabase
  readonly store: EventStore
  /**
   * The common options of the engine's functions. The codec does not encrypt: encryption has
   * separate tests.
   */
  readonly engine: Pick<ProjectorOptions, 'connectionString' | 'store' | 'codec' | 'log'> & {
    readonly store: EventStore
  }
  /** Projects in the background until `stop` or `end`. */
  start(model: ReadModel, options?: Partial<ProjectorOptions>): RunningProjector
  /** A projector of 'users' in a separate process, which `end` kills. */
  startProcess(options?: Partial<ProjectorProcessOptions>): Promise<ProjectorProcess>
  /** Appends the events in order. Returns the position of the last event. */
  append(...events: readonly RecordedEvent[]): Promise<string>
  projected(models: readonly ReadModel[], position: string, timeoutMs?: number): Promise<boolean>
  statusOf(model: Pick<ReadModel, 'name' | 'version'>): Promise<ProjectionStatus | undefined>
  /** True if the read model's first catch-up is complete. */
  isBuilt(model: ReadModel): Promise<boolean>
  rebuild(model: ReadModel, options?: Partial<RebuildOptions>): Promise<ShadowProgress>
  verify(model: ReadModel, options?: Partial<VerifyOptions>): Promise<Verification>
  /** Skips the event at which the projection is paused, as an operator does. */
  skip(model: ReadModel, eventId: string): Promise<unknown>
  /** The parked streams of a read model. */
  parked(model: ReadModel): Promise<readonly ParkedStream[]>
  /** Requests a retry as an operator does, and waits for it. Null: the stream is folded. */
  retry(model: ReadModel, stream: string): Promise<ParkedStream | null>
  /** Skips the event at which the stream is parked, and waits for the events behind it. */
  skipParked(model: ReadModel, stream: string, eventId?: string): Promise<ParkedStream | null>
  /** Runs `work` before the fixture closes the store and drops the database. */
  beforeEnd(work: () => Promise<unknown>): void
  end(): Promise<void>
}

export const silentLog = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** The payload is not parsed: the fixture appended it. */
function isRecorded(event: StoredEvent): event is StoredEvent & RecordedEvent {
  return Object.hasOwn(eventCatalogue, event.type)
}

/** A codec without encryption. */
export const plainCodec: ProjectorOptions['codec'] = {
  decode: async (stored) => stored.filter(isRecorded),
}

export async function startProjectionFixture(): Promise<ProjectionFixture> {
  const db = await createTestDatabase()
  const store = createPostgresEventStore({ connectionString: db.connectionString })
  const endings: (() => Promise<unknown>)[] = []
  const revisions = new Map<string, number>()
  const engine = { connectionString: db.connectionString, store, codec: plainCodec, log: silentLog }
  const { signal } = new AbortController()
  const wait = (model: ReadModel, stream: string) =>
    awaitRetry(stream, { ...engine, db: db.pool, model, signal })
  const statusOf: ProjectionFixture['statusOf'] = async ({ name, version }) =>
    (await projectionStatus(db.pool)).find(
      (status) => status.name === name && status.version === version,
    )
  return {
    db,
    store,
    engine,
    start(model, options = {}) {
      const aborted = new AbortController()
      const finished = createProjector({
        ...engine,
        model,
        retryDelaysMs: [5, 10],
        ...options,
      }).run(aborted.signal)
      const projector = {
        finished,
        aborted,
        stop: () => {
          aborted.abort()
          return finished
        },
      }
      endings.push(projector.stop)
      return projector
    },
    async startProcess(options) {
      const started = await startProjectorProcess({
        model: 'users',
        connectionString: db.connectionString,
        ...options,
      })
      endings.push(() => started.kill())
      return started
    },
    async append(...events) {
      let position = ''
      for (const [stream, appended] of inRuns(events)) {
        const revision = revisions.get(stream) ?? 'no-stream'
        const result = await store.append(stream, revision, appended)
        revisions.set(stream, result.revision)
        position = result.position
      }
      return position
    },
    projected: (models, position, timeoutMs = 15_000) =>
      waitUntilProjected(db.pool, models, position, timeoutMs, store.comparePositions),
    statusOf,
    isBuilt: async (model) => (await statusOf(model))?.isBuilt === true,
    rebuild: (model, options) => rebuild({ ...engine, model, signal, ...options }),
    verify: (model, options) => verify({ ...engine, model, signal, ...options }),
    skip: (model, eventId) =>
      onConnection(db, (connection) =>
        skipEvent({ connection, store }, model, eventId, 'an operator'),
      ),
    parked: async (model) =>
      (await parkedStreams(db.pool)).filter(({ projection }) => projection === schemaOf(model)),
    async retry(model, stream) {
      await onConnection(db, (connection) => requestRetry(connection, model, stream))
      return wait(model, stream)
    },
    async skipParked(model, stream, eventId) {
      await onConnection(db, (connection) =>
        skipParked({ connection, store }, model, stream, eventId, 'an operator'),
      )
      return wait(model, stream)
    },
    beforeEnd: (work) => void endings.push(work),
    async end() {
      await Promise.all(endings.map((ending) => ending()))
      await store.close()
      await db.drop()
    },
  }
}

async function onConnection<Result>(
  { pool }: TestDatabase,
  work: (connection: pg.PoolClient) => Promise<Result>,
): Promise<Result> {
  const connection = await pool.connect()
  try {
    return await work(connection)
  } finally {
    connection.release()
  }
}

/** Groups consecutive events of the same stream into one append. */
function inRuns(events: readonly RecordedEvent[]): [string, EventToAppend[]][] {
  const runs: [string, EventToAppend[]][] = []
  for (const { id, type, data, metadata, stream } of events) {
    const event = { id, type, data, metadata }
    const last = runs.at(-1)
    if (last?.[0] === stream) last[1].push(event)
    else runs.push([stream, [event]])
  }
  return runs
}

/** Four events of one customer: account, profile, subscription, payment. */
export function customer(index: number): RecordedEvent[] {
  const id = `usr_${index}`
  const subscription = {
    subscriptionId: `subscription_${index}`,
    subscriptionRef: refOf(`sub_${index}`),
  } as const
  return [
    accountOpened(id, `user${index}@example.com`),
    profileCompleted(id),
    subscriptionStarted(id, subscription),
    paymentSucceeded(id, {
      paymentId: `payment_${index}`,
      invoiceRef: refOf(`in_${index}`),
      ...subscription,
    }),
  ]
}

export function customers(from: number, to: number): RecordedEvent[] {
  return Array.from({ length: to - from + 1 }, (_, index) => customer(from + index)).flat()
}

/** The model as if each of its events concerned all keys: a poison event pauses its projection. */
export function undivided(model: ReadModel): ReadModel {
  return { ...model, concernAll: handledTypes(model) }
}

/** A model whose `project` calls `before` first and `after` last. */
export function instrumented(
  model: ReadModel,
  before: (events: readonly RecordedEvent[]) => Promise<void> | void,
  after?: () => Promise<void> | void,
): ReadModel {
  return {
    ...model,
    async project(events, tx, schema) {
      await before(events)
      await model.project(events, tx, schema)
      await after?.()
    },
  }
}
