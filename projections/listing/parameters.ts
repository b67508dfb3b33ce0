/**
 * Collects the values of a statement while its text is built. The first `parameters.add(5)` returns
 * `$1`.
 */
export class Parameters {
  readonly values: unknown[] = []

  add(value: unknown): string {
    this.values.push(value)
    return `$${this.values.length}`
  }
}
