/**
 * A value that a newer release added to an open enumeration of an answer. To the compiler no value
 * is left: a new value of this release does not compile.
 */
export function ofNewerRelease(value: never): string {
  return String(value)
}
