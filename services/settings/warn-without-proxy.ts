import type { Logger } from 'pino'
import type { Config } from './config.ts'

/**
 * The product itself serves http, so an https PUBLIC_URL means that a proxy is in front. Without
 * TRUST_PROXY=1 every request seems to come from the proxy.
 */
export function warnWithoutProxy(
  { publicUrl, trustProxy }: Pick<Config, 'publicUrl' | 'trustProxy'>,
  log: Pick<Logger, 'warn'>,
): void {
  if (trustProxy || !publicUrl.startsWith('https:')) return
  log.warn(
    { publicUrl },
    'PUBLIC_URL is https and TRUST_PROXY is 0: all clients have the address of the proxy and share one rate limit. Set TRUST_PROXY=1 if a proxy is in front.',
  )
}
