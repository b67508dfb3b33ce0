import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { z } from 'zod'
import { applicationNames } from '#services/foundation/application-names'
import { integerColumn } from '#services/foundation/columns'
import { clientOptions, databaseLimits } from '#services/foundation/database-limits'
import { oneRow } from '#services/foundation/rows'

const checkEveryMs = 200
const sessionsRow = z.object({ sessions: integerColumn })

/**
 * Waits while other operator's commands have sessions on the server: the caller is about to stop
 * it. A running product does not count, because it starts the server again.
 */
export async function untilOtherCommandsEnd(
  connectionString: string,
  print: (line: string) => void,
): Promise<void> {
  const client = new pg.Client({ connectionString, ...clientOptions(databaseLimits.questions) })
  // If the server ends, no command uses it. The failed statement reports the error.
  client.on('error', () => undefined)
  await client.connect()
  try {
    for (let isPrinted = false; await hasOtherCommands(client); isPrinted = true) {
      if (!isPrinted)
        print('Another command uses the embedded database. This command ends after that one.')
      await sleep(checkEveryMs)
    }
  } finally {
    await client.end()
  }
}

async function hasOtherCommands(client: pg.Client): Promise<boolean> {
  const { sessions } = await oneRow(
    client,
    sessionsRow,
    `SELECT count(*) AS sessions FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = $1`,
    [applicationNames.operator],
  )
  return sessions > 0
}
