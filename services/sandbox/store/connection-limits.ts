/**
 * In milliseconds. A statement of the sandbox touches few rows. `query_timeout` is for a frozen
 * server, which ends no statement. All are shorter than the product's wait for the payment
 * provider.
 */
export const connectionLimits = {
  connectionTimeoutMillis: 5_000,
  statement_timeout: 8_000,
  query_timeout: 9_000,
} as const
