/** Values by the name of their field, in words. Null: there is no value. */
export type Fields = Readonly<Record<string, string | null>>

/** What an event says about a topic. */
export interface TopicValues {
  /** Which of several subscriptions, invoices and so on. Empty if there is only one. */
  readonly of: string
  readonly after: Fields
  /** The values before, if the event itself has them. */
  readonly before?: Fields
  /** The event shows the values and does not change them. */
  readonly isOnlyShown?: true
}
