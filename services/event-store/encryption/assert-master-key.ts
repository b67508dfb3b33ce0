import type pg from 'pg'
import { StartupError } from '#services/foundation/startup-error'
import type { PersonalKeys } from './personal-keys.ts'

/**
 * Opens one person's key before anything is served: with another MASTER_KEY nobody's data could
 * be read, and every projection would pause. @throws StartupError
 */
export async function assertMasterKey(
  pool: Pick<pg.Pool, 'query'>,
  keys: PersonalKeys,
): Promise<void> {
  const { rows } = await pool.query<{ subject: string }>(
    'SELECT subject FROM app.personal_key WHERE wrapped_key IS NOT NULL LIMIT 1',
  )
  const [person] = rows
  if (person === undefined) return
  try {
    await keys.forReading(new Set([person.subject]))
  } catch (error) {
    throw new StartupError(
      'MASTER_KEY is not the one that this database was made with, so nobody’s data can be read. ' +
        'Set the one that was used before; the sandbox keeps its own in DATA_DIR/sandbox-secrets.json.',
      { cause: error },
    )
  }
}
