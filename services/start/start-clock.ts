import type pg from 'pg'
import { startBusinessClock, type BusinessClock } from '#services/foundation/business-clock'
import type { ProvidedSandbox } from '#services/sandbox-process/provide-sandbox'
import type { StartContext } from './start-context.ts'

/**
 * Starts the business clock, which follows CLOCK_URL, the sandbox or the system's time. Null for a
 * projector, which appends no events.
 */
export async function startClock(
  { config, log, started, signal }: StartContext,
  pool: pg.Pool,
  sandbox: ProvidedSandbox | null,
): Promise<BusinessClock | null> {
  if (config.role === 'projector') return null
  const url = config.clockUrl ?? (sandbox === null ? null : `${sandbox.url}/clock`)
  const clock = await startBusinessClock({
    pool,
    followed: url === null ? { kind: 'system' } : { kind: 'url', url },
    log,
    signal,
  })
  started.add('business clock', () => clock.close())
  return clock
}
