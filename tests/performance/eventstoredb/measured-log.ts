/** Where the measured log is. */
export interface MeasuredLog {
  /** As the product has it, with the prefix. */
  readonly eventStoreUrl: string
  /** As the bare client has it. */
  readonly server: string
  readonly prefix: string
  /** Of the PostgreSQL that has the keys and the read models. */
  readonly connectionString: string
}
