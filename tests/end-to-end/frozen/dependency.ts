/** What the product needs and a test can freeze. */
export type Dependency = 'PostgreSQL' | 'EventStoreDB' | 'the mail server' | 'the payment provider'

/**
 * The longest time until an answer while the dependency is frozen, in milliseconds
 * (docs/operations.md, a dependency does not answer).
 */
export const answerWithinMs: Readonly<Record<Dependency, number>> = {
  PostgreSQL: 20_000,
  EventStoreDB: 20_000,
  'the mail server': 12_000,
  'the payment provider': 22_000,
}

/** What /readyz answers while the dependency is frozen. */
export const readiness: Readonly<
  Record<Dependency, { readonly status: 200 | 503; readonly reason: RegExp }>
> = {
  PostgreSQL: { status: 503, reason: /^The database does not answer/ },
  EventStoreDB: { status: 503, reason: /^The event store (does not answer|cannot be read)/ },
  'the mail server': { status: 200, reason: /^The mail server has not answered for/ },
  'the payment provider': { status: 200, reason: /^The payment provider has not answered for/ },
}
