/**
 * The `mailto:` link to an address. The local part may have signs that mean something in a link:
 * `a?b&c@example.com` would become the address `a` with a parameter.
 */
export function mailto(address: string): string {
  const at = address.lastIndexOf('@')
  return `mailto:${encodeURIComponent(address.slice(0, Math.max(at, 0)))}${address.slice(Math.max(at, 0))}`
}
