/** The connections of the measured log. */
export interface MeasuredLog {
  /** EVENTSTORE_URL of the product, with the stream prefix. */
  readonly eventStoreUrl: string
  /** Connection string of the bare client, without the stream prefix. */
  readonly server: string
  readonly prefix: string
  /** The PostgreSQL database of the keys and the read models. */
  readonly connectionString: string
}
