import { randomUUID } from 'node:crypto'
import pino from 'pino'
import type { HistoryPage, RawEventResponse, UserHistoryResponse } from '#contracts/admin/history'
import type { DomainEvent } from '#contracts/events/catalogue'
import type { Actor } from '#contracts/events/envelope'
import { readModelReady } from '#projections/engine/operate/status'
import { waitUntilProjected } from '#projections/engine/run/wait-until-projected'
import { readModels } from '#projections/read-models'
import type { AdministratorNames } from '#services/admin/history/read-events'
import { historyRoutes } from '#services/admin/history-routes'
import { createCommandHandler } from '#services/commands/handle-command'
import { chain } from '#services/event-store/audit/hash-chain'
import { createCodec } from '#services/event-store/encryption/codec'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { systemClock } from '#services/foundation/clock'
import { databaseLimits } from '#services/foundation/database-limits'
import { createPool } from '#services/postgres/connect'
import { createReadSide } from '#services/read-side/read-side'
import { createTestDatabase, type TestDatabase } from '../postgres/database.ts'
import { serveArea } from './area-server.ts'
import { createClient } from './client.ts'
import { macKey } from '../event-store/mac-key.ts'
import { zone } from '../data/finance-values.ts'
import { signInRoute } from './sign-in-route.ts'
import { until } from '../machine/until.ts'

/** An event to append: its stream, type and payload, and when it happened. */
export type GivenEvent = DomainEvent & {
  readonly stream: string
  readonly occurredAt: string
  readonly actor?: Actor
}

const signInRoutes = signInRoute('/api/admin/sign-in-without-password', 'admin')

/**
 * The calls of the audit over HTTP, on a real log with all read models. Without `database` they get
 * a new one, which `close` drops.
 */
export async function startHistorySide({
  database: given,
  masterKey = Buffer.alloc(32, 7),
  administratorNames = new Map(),
}: {
  readonly database?: TestDatabase
  readonly masterKey?: Buffer
  readonly administratorNames?: AdministratorNames
} = {}) {
  const log = pino({ level: 'silent' })
  const database = given ?? (await createTestDatabase())
  const { pool, connectionString } = database
  const store = createPostgresEventStore({ connectionString })
  const keys = createPersonalKeys(pool, masterKey)
  const codec = createCodec(keys)
  const reading = createPool(connectionString, { max: 8, limits: databaseLimits.reading })
  const readSide = createReadSide({
    connectionString,
    pool,
    reading,
    store,
    codec,
    log,
    shards: 1,
    timeZone: zone('UTC'),
    onProjected: () => undefined,
  })
  const stopProjectors = readSide.startProjectors()
  for (const model of readModels)
    await until(() => readModelReady(pool, model), 'the read model is not built')
  const areas = [
    signInRoutes,
    historyRoutes({
      queries: readSide.history,
      log: { store, codec, administratorNames: () => Promise.resolve(administratorNames) },
      commands: createCommandHandler({ store, codec, clock: systemClock, macKey }),
      clock: systemClock,
    }),
  ]
  const server = await serveArea((route) => areas.forEach((area) => area(route)), log, { database })
  const client = createClient({ url: server.url, sandboxUrl: '' })
  await client.post('/api/admin/sign-in-without-password')

  async function append({ stream, type, data, occurredAt, actor }: GivenEvent): Promise<string> {
    const id = randomUUID()
    const encoded = await codec.encode(stream, { id, type, data })
    const last = await store.readLast(stream)
    const metadata = {
      correlationId: id,
      causationId: id,
      actor: actor ?? { kind: 'system' as const, id: 'test' },
      occurredAt,
      recordedAt: occurredAt,
      schemaVersion: encoded.schemaVersion,
      source: 'api' as const,
    }
    const { position } = await store.append(
      stream,
      last?.revision ?? 'no-stream',
      chain(stream, last ?? undefined, [{ id, type, data: encoded.data, metadata }], macKey),
    )
    return position
  }
  const read = async <Body>(path: string) => {
    const { status, body } = await client.get(path)
    if (status !== 200) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`)
    return body as Body
  }

  return {
    url: server.url,
    pool,
    store,
    keys,
    client,
    /** A client that no administrator uses. */
    visitor: () => createClient({ url: server.url, sandboxUrl: '' }),
    /** Appends the events, each alone, and waits until every read model has them. */
    async given(...events: readonly GivenEvent[]) {
      let position: string | null = null
      for (const event of events) position = await append(event)
      if (position === null) return
      const shown = await waitUntilProjected(
        pool,
        readModels,
        position,
        15_000,
        store.comparePositions,
      )
      if (!shown) throw new Error('The read models did not fold the events within 15 s.')
    },
    history: (userId: string, query = '') =>
      read<UserHistoryResponse>(`/api/admin/users/${userId}/history${query}`),
    page: (path: string) => read<HistoryPage>(path),
    raw: (stream: string, revision: number) =>
      read<RawEventResponse>(`/api/admin/events/${stream}/${revision}`),
    async close() {
      await stopProjectors()
      await server.close()
      await store.close()
      await reading.end()
      if (given === undefined) await database.drop()
    },
  }
}
