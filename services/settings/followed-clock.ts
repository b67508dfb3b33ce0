import type { FollowedClock } from '#services/foundation/followed-clock'
import type { Config } from './config.ts'

/**
 * The clock that a product with this configuration follows, for operator commands: they start no
 * sandbox.
 */
export function followedClock({
  clockUrl,
  sandbox,
}: Pick<Config, 'clockUrl' | 'sandbox'>): FollowedClock {
  if (clockUrl !== null) return { kind: 'url', url: clockUrl }
  if (sandbox === null) return { kind: 'system' }
  // A sandbox that runs elsewhere has a clockUrl.
  return { kind: 'own-sandbox', url: `http://127.0.0.1:${sandbox.port}/clock` }
}
