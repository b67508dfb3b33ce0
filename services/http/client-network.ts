import type { IncomingMessage } from 'node:http'
import { isIPv4, isIPv6 } from 'node:net'

/**
 * The network that limits count a client by. An IPv4 address counts as it is, also in the form
 * `::ffff:192.0.2.1`. An IPv6 address counts by its first 64 bits, because one customer of a
 * provider can use every address of a /64. Some proxies add the client's port, which is new with
 * each connection: it does not count. `unknown` without an address, and null for a text that is no
 * address: each such text would count as a network.
 */
export function clientNetwork(address: string | undefined): string | null {
  if (address === undefined) return 'unknown'
  const bare = withoutPort(address).replace(/%.*$/, '')
  if (isIPv4(bare)) return bare
  if (!isIPv6(bare)) return null
  const groups = groupsOf(bare)
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff)
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 0xff])
      .join('.')
  const network = groups.slice(0, 4).map((group) => group.toString(16))
  return `${network.join(':')}::/64`
}

/**
 * The network of the client, or of the last entry of `X-Forwarded-For`, which the one proxy in
 * front has written. Null if that entry is no address.
 */
export function networkOfRequest(
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  trustProxy: boolean,
): string | null {
  const forwarded = trustProxy ? [headers['x-forwarded-for'] ?? ''].flat().join(',') : ''
  const address = forwarded === '' ? socket.remoteAddress : forwarded.split(',').at(-1)?.trim()
  return clientNetwork(address)
}

/** `192.0.2.1:80`, `[2001:db8::1]:80` and `[2001:db8::1]` are written by proxies. */
function withoutPort(address: string): string {
  const [, bracketed] = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(address) ?? []
  if (bracketed !== undefined) return bracketed
  return address.replace(/^([\d.]+):\d{1,5}$/, '$1')
}

/** The eight groups of an IPv6 address. The URL parser converts a dotted end to groups. */
function groupsOf(address: string): readonly number[] {
  const [start = '', end = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const numbers = (text: string) =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))
  const [first, last] = [numbers(start), numbers(end)]
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last]
}
