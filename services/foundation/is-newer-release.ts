const version = /^(\d+\.\d+\.\d+)(?:-([\dA-Za-z.-]+))?(?:\+[\dA-Za-z.-]+)?$/
const digits = /^\d+$/

/**
 * Whether release `name` is newer than release `than`, in the order of Semantic Versioning 2.0.0,
 * section 11. False if one of the names is no version: package.json gives each release a version.
 */
export function isNewerRelease(name: string, than: string): boolean {
  const [left, right] = [version.exec(name), version.exec(than)]
  if (left === null || right === null) return false
  const [, numbers = '', preRelease] = left
  const [, otherNumbers = '', otherPreRelease] = right
  const difference = compareParts(numbers, otherNumbers)
  if (difference !== 0) return difference > 0
  // 1.0.0 is newer than 1.0.0-rc.1.
  if (preRelease === undefined || otherPreRelease === undefined)
    return preRelease === undefined && otherPreRelease !== undefined
  return compareParts(preRelease, otherPreRelease) > 0
}

/** Compares texts of parts with dots between them. A missing part is before each other part. */
function compareParts(left: string, right: string): number {
  const [parts, others] = [left.split('.'), right.split('.')]
  for (const [index, part] of parts.entries()) {
    const difference = comparePart(part, others[index])
    if (difference !== 0) return difference
  }
  return parts.length - others.length
}

/** A number is before each text. */
function comparePart(part: string, other: string | undefined): number {
  if (other === undefined) return 1
  if (digits.test(part) && digits.test(other)) return Number(part) - Number(other)
  if (digits.test(part) !== digits.test(other)) return digits.test(part) ? -1 : 1
  if (part === other) return 0
  return part < other ? -1 : 1
}
