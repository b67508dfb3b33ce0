import type { EventLog } from '#services/event-store/event-log'
import { StartupError } from '#services/foundation/startup-error'
import type { OperatorContext } from '#services/operations/operator-context'
import { assertReachable, createPool } from '#services/postgres/connect'
import { migrate } from '#services/postgres/migrate'
import { openEventLog } from '#services/start/open-event-log'

export const namesOfLogs =
  'here (the log that this environment uses), database (the one in its database), postgres://…, esdb://… or esdb+discover://…'

export interface NamedLog extends EventLog {
  /** Whether persons' keys are beside it: a log elsewhere has them not. */
  readonly isOfThisInstallation: boolean
  close(): Promise<void>
}

export interface Naming {
  /** `--from`: for sentences. */
  readonly option: string
  /** Brings the tables of a database to this release; else they are only looked for. */
  readonly isToBeWritten: boolean
}

/**
 * Opens the log that an operator named. Whoever opens it closes it.
 * @throws StartupError, one sentence without a password
 */
export async function openNamedLog(
  name: string,
  context: OperatorContext,
  { option, isToBeWritten }: Naming,
): Promise<NamedLog> {
  const { connectionString, pool, eventLog } = context
  const say = (line: string) => void process.stderr.write(`${line}\n`)
  // Closed by whoever opened it.
  if (name === 'here')
    return { ...eventLog, isOfThisInstallation: true, close: () => Promise.resolve() }
  if (name === 'database')
    return owned(await openEventLog({ eventStoreUrl: null, connectionString, pool, say }), true)
  if (/^esdb(\+discover)?:/.test(name))
    return explained(option, 'EVENTSTORE_URL', async () =>
      owned(await openEventLog({ eventStoreUrl: name, connectionString, pool, say }), true),
    )
  if (!/^postgres(ql)?:\/\//.test(name))
    throw new StartupError(`${option} names no log: it is ${namesOfLogs}.`)
  return explained(option, 'DATABASE_URL', async () => {
    const other = createPool(name, { max: 2, applicationName: 'billing operator' })
    try {
      await assertReachable(other)
      if (isToBeWritten) await migrate(name)
      const { rows } = await other.query<{ table_exists: boolean }>(
        `SELECT to_regclass('log.identity') IS NOT NULL AS table_exists`,
      )
      if (rows[0]?.table_exists !== true)
        throw new StartupError(
          `The database that ${option} names has no event log of this release: start this release on it once, or correct ${option}.`,
        )
      const opened = await openEventLog({
        eventStoreUrl: null,
        connectionString: name,
        pool: other,
        say,
      })
      return owned(opened, false, () => other.end())
    } catch (error) {
      await other.end()
      throw error
    }
  })
}

function owned(
  log: EventLog,
  isOfThisInstallation: boolean,
  andThen: () => Promise<void> = () => Promise.resolve(),
): NamedLog {
  const close = async () => {
    await log.store.close()
    await andThen()
  }
  return { ...log, isOfThisInstallation, close }
}

/** The sentences about a setting are the ones about this option, too. */
async function explained<T>(option: string, setting: string, open: () => Promise<T>): Promise<T> {
  try {
    return await open()
  } catch (error) {
    throw error instanceof StartupError
      ? new StartupError(error.message.replaceAll(setting, option), { cause: error })
      : error
  }
}
