import { hash } from 'node:crypto'

/**
 * The name-based UUIDs of a namespace, version 5 of RFC 9562: equal names have equal ids. An import
 * needs several for each row, and the package `uuid` takes five times as long for one.
 */
export function uuidsOf(namespace: string): (name: string) => string {
  const bytes = Buffer.from(namespace.replaceAll('-', ''), 'hex')
  return (name) => {
    const hex = hash('sha1', Buffer.concat([bytes, Buffer.from(name)]), 'hex')
    const variant = ((Number.parseInt(hex.charAt(16), 16) & 0x3) | 0x8).toString(16)
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`
  }
}
