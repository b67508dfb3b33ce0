import { StartupError } from '#services/foundation/startup-error'
import type { Settings } from './settings.ts'

/** The secrets of which two are valid during a change: the new one, and NAME_PREVIOUS. */
type ChangingSecret = 'SESSION_SECRET' | 'MASTER_KEY' | 'EMAIL_HMAC_KEY' | 'PORTAL_KEY'

/**
 * The secret and, during a change, the one that it replaces.
 * @throws StartupError if both are the same
 */
export function withPrevious(
  settings: Settings,
  name: ChangingSecret,
  current: string,
): readonly [string] | readonly [string, string] {
  const previous = settings[`${name}_PREVIOUS`]
  if (previous === undefined) return [current]
  if (canonical(previous) !== canonical(current)) return [current, previous]
  throw new StartupError(
    `${name}_PREVIOUS has the same value as ${name}. Set ${name} to the new value and ${name}_PREVIOUS to the former one, or remove ${name}_PREVIOUS.`,
  )
}

/** A key of hexadecimal digits is the same key in capitals. */
function canonical(secret: string): string {
  return /^[0-9a-f]{64}$/i.test(secret) ? secret.toLowerCase() : secret
}
