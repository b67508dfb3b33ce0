import type pg from 'pg'
import type { Logger } from 'pino'
import type { EmailKeys } from '#services/accounts/email-keys'
import type { EventProof } from '#services/event-store/audit/event-proof'
import { createCodec, type EventCodec } from '#services/event-store/encryption/codec'
import {
  createPersonalKeys,
  type PersonalKeys,
} from '#services/event-store/encryption/personal-keys'
import { createSubjectLog } from '#services/event-store/encryption/subject-log'
import type { EventLog } from '#services/event-store/event-log'
import type { EventStore } from '#services/event-store/event-store'
import { applicationNames } from '#services/foundation/application-names'
import { databaseLimits } from '#services/foundation/database-limits'
import { logDestination } from '#services/foundation/log-destination'
import { createLogger } from '#services/foundation/logger'
import { logFormat } from '#services/foundation/terminal-line'
import { assertReachable, createPool } from '#services/postgres/connect'
import { migrate } from '#services/postgres/migrate'
import type { Config } from '#services/settings/config'
import { eventProofOf } from '#services/start/event-proof'
import { readConfig } from '#services/settings/read-config'
import { openEventLog } from '#services/start/open-event-log'
import { withSettingsFromFiles } from '#services/settings/settings-from-files'
import { startDatabases } from '#services/start/start-databases'
import { watchKeys } from '#services/keys/watch-keys'
import { untilOtherCommandsEnd } from './until-other-commands-end.ts'

/** The services that an operator's command uses. */
export interface OperatorContext {
  readonly config: Config
  readonly connectionString: string
  readonly pool: pg.Pool
  readonly eventLog: EventLog
  /** The store of `eventLog`. */
  readonly store: EventStore
  /** Of the events that reports read. */
  readonly proof: EventProof
  readonly keys: PersonalKeys
  readonly codec: EventCodec
  readonly log: Logger
}

/**
 * Connects as the product does while `work` runs: to DATABASE_URL or to the embedded server. Joins
 * the embedded server if another process runs it, otherwise starts it. A command that started the
 * server stops it after the other commands.
 */
export async function asOperator<T>(work: (context: OperatorContext) => Promise<T>): Promise<T> {
  const config = readConfig(withSettingsFromFiles(process.env))
  const print = (line: string) => void process.stderr.write(`${line}\n`)
  const databases = await startDatabases(config, print)
  const pool = createPool(databases.app, {
    max: 6,
    applicationName: applicationNames.operator,
    limits: databaseLimits.operator,
  })
  let eventLog: EventLog | null = null
  try {
    await assertReachable(pool)
    await migrate(databases.app)
    eventLog = await openEventLog({
      eventStoreUrl: config.eventStoreUrl,
      connectionString: databases.app,
      pool,
      limits: databaseLimits.logOfOperator,
      print,
    })
    const { store } = eventLog
    const keys = createPersonalKeys(pool, config.masterKey, {
      previousMasterKey: config.previousMasterKey,
      subjects: createSubjectLog(store),
    })
    const output = logDestination(1, logFormat(1, config.isProduction))
    const log = createLogger(config.logLevel, output)
    return await work({
      config,
      connectionString: databases.app,
      pool,
      eventLog,
      store,
      proof: eventProofOf(config),
      keys,
      codec: createCodec(keys),
      log,
    })
  } finally {
    await eventLog?.store.close()
    await pool.end()
    if (databases.runsServer()) await untilOtherCommandsEnd(databases.app, print)
    await databases.stop()
  }
}

/** Runs `work` with the EMAIL_HMAC_KEY in use, as a process of the product does. */
export async function withEmailKeys<T>(
  context: OperatorContext,
  work: (emailKeys: EmailKeys) => Promise<T>,
): Promise<T> {
  const { connectionString, config: keys, log } = context
  const emailKeys = await watchKeys({ connectionString, keys, log })
  try {
    return await work(emailKeys)
  } finally {
    await emailKeys.close()
  }
}
