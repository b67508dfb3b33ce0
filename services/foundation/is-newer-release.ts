import gt from 'semver/functions/gt.js'
import valid from 'semver/functions/valid.js'

/**
 * Whether release `name` is newer than release `than`, in the order of Semantic Versioning 2.0.0,
 * section 11. False if one of the names is no version: package.json gives each release a version.
 */
export function isNewerRelease(name: string, than: string): boolean {
  return valid(name) !== null && valid(than) !== null && gt(name, than)
}
