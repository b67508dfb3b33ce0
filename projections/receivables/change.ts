/** A row before and after a batch. `before` is undefined for a new one. */
export interface Change<Row> {
  readonly before: Row | undefined
  readonly after: Row
}
