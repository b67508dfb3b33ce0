import { z } from 'zod'
import type { EventLog } from '#services/event-store/event-log'
import { applicationNames } from '#services/foundation/application-names'
import { databaseLimits } from '#services/foundation/database-limits'
import { oneRow } from '#services/foundation/rows'
import { StartupError } from '#services/foundation/startup-error'
import type { OperatorContext } from '#services/operations/operator-context'
import { assertReachable, createPool } from '#services/postgres/connect'
import { migrate } from '#services/postgres/migrate'
import { openEventLog } from '#services/start/open-event-log'

export const namesOfLogs =
  'here (the log that this environment uses), database (the log in its database), postgres://…, esdb://… or esdb+discover://…'

export interface NamedLog extends EventLog {
  /** Whether the personal keys of its events are in this environment's database. */
  readonly isOfThisInstallation: boolean
  close(): Promise<void>
}

export interface NamedLogOptions {
  /** The option that named the log, `--from`, for error messages. */
  readonly option: string
  /** True: migrates the database of the log. False: only checks that its tables exist. */
  readonly isToBeWritten: boolean
}

const existenceRow = z.object({ table_exists: z.boolean() })

/**
 * Opens the log that an operator named. The caller closes it.
 * @throws StartupError with one sentence that contains no password
 */
export async function openNamedLog(
  name: string,
  context: OperatorContext,
  { option, isToBeWritten }: NamedLogOptions,
): Promise<NamedLog> {
  const { connectionString, pool, eventLog } = context
  const print = (line: string) => void process.stderr.write(`${line}\n`)
  const limits = databaseLimits.logOfOperator
  // The operator context closes this log.
  if (name === 'here')
    return { ...eventLog, isOfThisInstallation: true, close: () => Promise.resolve() }
  if (name === 'database')
    return owned(
      await openEventLog({ eventStoreUrl: null, connectionString, pool, limits, print }),
      true,
    )
  if (/^esdb(\+discover)?:/.test(name))
    return withOptionInErrors(option, 'EVENTSTORE_URL', async () =>
      owned(
        await openEventLog({ eventStoreUrl: name, connectionString, pool, limits, print }),
        true,
      ),
    )
  if (!/^postgres(ql)?:\/\//.test(name))
    throw new StartupError(`${option} names no log. It must be ${namesOfLogs}.`)
  return withOptionInErrors(option, 'DATABASE_URL', async () => {
    const other = createPool(name, {
      max: 2,
      applicationName: applicationNames.operator,
      limits: databaseLimits.operator,
    })
    try {
      await assertReachable(other)
      if (isToBeWritten) await migrate(name)
      const { table_exists } = await oneRow(
        other,
        existenceRow,
        `SELECT to_regclass('log.identity') IS NOT NULL AS table_exists`,
      )
      if (!table_exists)
        throw new StartupError(
          `The database of ${option} has no event log of this release: start this release on it once, or correct ${option}.`,
        )
      const opened = await openEventLog({
        eventStoreUrl: null,
        connectionString: name,
        pool: other,
        limits,
        print,
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

/** Replaces the setting's name in error messages by the option's name. */
async function withOptionInErrors<T>(
  option: string,
  setting: string,
  open: () => Promise<T>,
): Promise<T> {
  try {
    return await open()
  } catch (error) {
    throw error instanceof StartupError
      ? new StartupError(error.message.replaceAll(setting, option), { cause: error })
      : error
  }
}
