import { z } from 'zod'
import type { Queryable } from '#services/foundation/queryable'
import { firstRow } from '#services/foundation/rows'
import { StartupError } from '#services/foundation/startup-error'
import type { PersonalKeys } from './personal-keys.ts'

const subjectRow = z.object({ subject: z.string() })

/**
 * Unwraps one personal key at the start. With another MASTER_KEY the product could read no personal
 * data, and every projection would pause.
 * @throws StartupError
 */
export async function assertMasterKey(pool: Queryable, keys: PersonalKeys): Promise<void> {
  const person = await firstRow(
    pool,
    subjectRow,
    'SELECT subject FROM app.personal_key WHERE wrapped_key IS NOT NULL LIMIT 1',
  )
  if (person === undefined) return
  try {
    await keys.forReading(new Set([person.subject]))
  } catch (error) {
    throw new StartupError(
      'MASTER_KEY differs from the key that this database was created with, so personal data cannot be read. ' +
        'Set the previous MASTER_KEY. The sandbox keeps its keys in DATA_DIR/sandbox-secrets.json.',
      { cause: error },
    )
  }
}
