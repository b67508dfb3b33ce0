import { createStreamCache } from '#services/commands/stream-cache'
import { createCodec } from '#services/event-store/encryption/codec'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import { createSubjectLog } from '#services/event-store/encryption/subject-log'
import { assertKnownKeys } from '#services/keys/assert-known-keys'
import { watchKeys } from '#services/keys/watch-keys'
import type { Storage } from './open-storage.ts'
import type { StartContext } from './start-context.ts'

/**
 * Starts the watch of the keys, and creates what reads and writes personal data with them.
 * @throws StartupError if the database needs other keys
 */
export async function startKeys(
  { config, log, started }: Pick<StartContext, 'config' | 'log' | 'started'>,
  { pool, background, store, connectionString }: Storage,
) {
  const keys = createPersonalKeys(pool, config.masterKey, {
    previousMasterKey: config.previousMasterKey,
    subjects: createSubjectLog(store),
    onErased: (subject) => streamCache.forgetSubject(subject),
  })
  const streamCache = createStreamCache({ keys })
  const emailKeys = await watchKeys({ connectionString, keys: config, log })
  started.add('watch of the keys', () => emailKeys.close())
  await assertKnownKeys(background, config)
  return { keys, emailKeys, codec: createCodec(keys), streamCache }
}
