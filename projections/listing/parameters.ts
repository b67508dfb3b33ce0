/** Collects a statement's values while its text is put together: `parameters.add(5)` is `$1`, and so on. */
export class Parameters {
  readonly values: unknown[] = []

  add(value: unknown): string {
    this.values.push(value)
    return `$${this.values.length}`
  }
}
