import type { Clock } from '#services/foundation/clock'
import { countOf } from '#services/foundation/format-count'
import type { Config } from '#services/settings/config'

interface NoteParts {
  /** The business clock, which follows the sandbox's. */
  readonly clock: Clock
  readonly realClock: Clock
  /** There are customers. */
  readonly isFilled: boolean
}

const dayMs = 86_400_000

/** What a start with the sandbox prints: the day of a clock that is ahead, and how to fill it. */
export function sandboxNotes(config: Config, { clock, realClock, isFilled }: NoteParts): string[] {
  if (config.sandbox === null) return []
  const now = clock.now()
  const daysAhead = Math.floor((now.getTime() - realClock.now().getTime()) / dayMs)
  const ahead =
    daysAhead < 1
      ? []
      : [
          `  Sandbox clock       ${now.toISOString().slice(0, 10)}, ${countOf(daysAhead, 'day')} ahead. Dates in the product follow it.`,
        ]
  return [...ahead, ...(isFilled || !canPlayDemo(config) ? [] : howToFill(config))]
}

/** What `billing demo` refuses otherwise. */
function canPlayDemo({ sandbox, role }: Config): boolean {
  return sandbox?.url === null && sandbox.simulatesStripe && sandbox.simulatesMail && role === 'all'
}

function howToFill({ dataDir, port, sandbox }: Config): string[] {
  const settings = [
    ...(dataDir === '.data' ? [] : [`DATA_DIR=${dataDir}`]),
    ...(port === 3_000 ? [] : [`PORT=${port}`]),
    ...(sandbox === null || sandbox.port === 3_001 ? [] : [`SANDBOX_PORT=${sandbox.port}`]),
  ]
  return [
    '',
    '  There are no customers yet. To make a year of invented ones (about 14 minutes),',
    '  run this in a second terminal:',
    `    ${[...settings, 'npm run billing -- demo'].join(' ')}`,
  ]
}
