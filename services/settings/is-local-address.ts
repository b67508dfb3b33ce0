/**
 * Whether only browsers of this machine can use this address: localhost, a name in localhost, or a
 * loopback address.
 */
export function isLocalAddress(url: string): boolean {
  const { hostname } = new URL(url)
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    // The URL parser writes every IPv4 address as four numbers.
    /^127(\.\d+){3}$/.test(hostname)
  )
}
