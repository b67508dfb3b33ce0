import { isIPv6 } from 'node:net'

/**
 * The network that limits count a client by. An IPv4 address counts as it is, also in the form
 * `::ffff:192.0.2.1`. An IPv6 address counts by its first 64 bits, because one customer of a
 * provider can use every address of a /64.
 */
export function clientNetwork(address: string | undefined): string {
  if (address === undefined) return 'unknown'
  const bare = address.replace(/%.*$/, '')
  if (!isIPv6(bare)) return bare
  const groups = groupsOf(bare)
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff)
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 0xff])
      .join('.')
  const network = groups.slice(0, 4).map((group) => group.toString(16))
  return `${network.join(':')}::/64`
}

/** The eight groups of an IPv6 address. The URL parser converts a dotted end to groups. */
function groupsOf(address: string): readonly number[] {
  const [start = '', end = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const numbers = (text: string) =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16))
  const [first, last] = [numbers(start), numbers(end)]
  return [...first, ...Array<number>(8 - first.length - last.length).fill(0), ...last]
}
