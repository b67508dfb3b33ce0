/** Running as sold: who has such a subscription cannot subscribe again. */
export const isLive = (status: string) => status === 'active' || status === 'trialing'

/** Over for good: nothing will be billed on it, and nothing can bring it back. */
export const hasEnded = (status: string) =>
  ['canceled', 'cancelled', 'incomplete_expired'].includes(status)
