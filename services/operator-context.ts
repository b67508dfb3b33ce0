import type pg from 'pg'
import { readConfig, type Config } from './config.ts'
import { createCodec, type EventCodec } from './event-store/codec.ts'
import type { EventLog } from './event-store/event-log.ts'
import type { EventStore } from './event-store/event-store.ts'
import { openEventLog } from './event-store/open-event-log.ts'
import { createPersonalKeys, type PersonalKeys } from './event-store/personal-keys.ts'
import { createLog } from './log.ts'
import { assertReachable, createPool } from './postgres/connect.ts'
import { migrate } from './postgres/migrate.ts'
import { withSettingsFromFiles } from './settings-from-files.ts'
import { startDatabases } from './start-databases.ts'
import type { Logger } from 'pino'

/** What an operator's command works with. */
export interface OperatorContext {
  readonly config: Config
  readonly connectionString: string
  readonly pool: pg.Pool
  readonly eventLog: EventLog
  /** The event log's. */
  readonly store: EventStore
  readonly keys: PersonalKeys
  readonly codec: EventCodec
  readonly log: Logger
}

/**
 * Connects as the product does, for the length of `work`: to DATABASE_URL, or to the embedded
 * server, which is joined when the product is running and started when it is not.
 */
export async function asOperator<T>(work: (context: OperatorContext) => Promise<T>): Promise<T> {
  const config = readConfig(withSettingsFromFiles(process.env))
  const say = (line: string) => void process.stderr.write(`${line}\n`)
  const databases = await startDatabases(config, say)
  const pool = createPool(databases.app, { max: 6, applicationName: 'billing operator' })
  let eventLog: EventLog | null = null
  try {
    await assertReachable(pool)
    await migrate(databases.app)
    eventLog = await openEventLog({ eventStoreUrl: config.eventStoreUrl, connectionString: databases.app, pool, say })
    const { store } = eventLog
    const keys = createPersonalKeys(pool, config.masterKey)
    const log = createLog(config.logLevel)
    return await work({ config, connectionString: databases.app, pool, eventLog, store, keys, codec: createCodec(keys), log })
  } finally {
    await eventLog?.store.close()
    await pool.end()
    await databases.stop()
  }
}
