import { passwordMark } from '#services/admin/password-mark'
import { systemClock } from '#services/foundation/clock'
import { createSessions, type Sessions } from '#services/http/sessions/sessions'
import type { Storage } from '../open-storage.ts'
import type { StartContext } from '../start-context.ts'

/** Starts the sessions of customers and administrators. */
export function startSessions(
  { config, log, started }: Pick<StartContext, 'config' | 'log' | 'started'>,
  { pool, store }: Pick<Storage, 'pool' | 'store'>,
): Sessions {
  const sessions = createSessions({
    pool,
    secrets: config.sessionSecrets,
    isHttps: config.publicUrl.startsWith('https:'),
    // Browsers see this port. Processes behind one proxy can listen on different ones.
    port: Number(new URL(config.publicUrl).port || 80),
    clock: systemClock,
    comparePositions: store.comparePositions,
    passwordMark: passwordMark(config),
    log,
  })
  started.add('sessions', () => Promise.resolve(sessions.close()))
  return sessions
}
