import { isIPv6 } from 'node:net'

/**
 * The host, as an address writes it, at which this machine reaches a server that listens on `host`.
 * A server on the unspecified address (0.0.0.0 or ::) listens on loopback, too.
 */
export function hostToConnect(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return isIPv6(host) ? `[${host}]` : host
}
