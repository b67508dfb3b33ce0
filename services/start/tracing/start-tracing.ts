import type { Logger } from 'pino'
import { createActiveSpan, type ActiveSpan } from '#services/tracing/active-span'
import { logDestination } from '#services/foundation/log-destination'
import { createLogger } from '#services/foundation/logger'
import { logFormat } from '#services/foundation/terminal-line'
import type { Config } from '#services/settings/config'
import type { StartedParts } from '../started-parts.ts'
import { createTracing, untraced, type Tracing } from './tracing.ts'

/** The logger, and the span whose ids its lines have. Null without tracing. */
export function createTracedLogger(config: Pick<Config, 'logLevel' | 'tracing' | 'isProduction'>): {
  readonly log: Logger
  readonly active: ActiveSpan | null
} {
  const output = logDestination(1, logFormat(1, config.isProduction))
  if (config.tracing === null) return { log: createLogger(config.logLevel, output), active: null }
  const active = createActiveSpan()
  return { log: createLogger(config.logLevel, output, active.logFields), active }
}

/**
 * Starts tracing if a collector is set. The SDK is loaded only then. Add it before all other parts:
 * parts stop in reverse order, and the last spans are those of the parts that stop.
 */
export async function startTracing({
  config: { tracing, role, trustProxy },
  active,
  log,
  started,
}: {
  readonly config: Pick<Config, 'tracing' | 'role' | 'trustProxy'>
  readonly active: ActiveSpan | null
  readonly log: Logger
  readonly started: StartedParts
}): Promise<Tracing> {
  if (tracing === null || active === null) return untraced
  const { startRecording } = await import('#services/tracing/start-recording')
  const { spans, counts, stop } = startRecording({
    endpoint: tracing.endpoint,
    attributes: { 'billing.role': role },
    active,
    log,
  })
  started.add('tracing', stop)
  return createTracing(spans, { counts, trustProxy })
}
