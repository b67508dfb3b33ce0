/** The invoice of the examples. */
export const example = {
  invoice: 'AD-1187',
  amount: { amount: 124_000, currency: 'usd' },
  client: 'Grace Whitaker',
} as const
