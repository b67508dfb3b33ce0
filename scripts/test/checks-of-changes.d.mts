export function checksOfChanges(
  changed: readonly string[],
  removed: readonly string[],
): {
  readonly checks: readonly (readonly [name: string, program: string, ...args: string[]])[]
  readonly related: readonly string[]
  readonly left: string | null
}
