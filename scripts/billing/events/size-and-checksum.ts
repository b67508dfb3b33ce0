import { formatCount } from '#services/foundation/format-count'
import type { WrittenFile } from '../write-file.ts'

/** `(1,234 bytes, SHA-256 9f86d0…)`: identifies the file. */
export function sizeAndChecksum({ bytes, sha256 }: WrittenFile): string {
  return `(${formatCount(bytes)} bytes, SHA-256 ${sha256})`
}
