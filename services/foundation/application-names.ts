/** The names of the product's connections in pg_stat_activity (`application_name`). */
export const applicationNames = {
  product: 'billing',
  reading: 'billing lists and reports',
  background: 'billing background work',
  readiness: 'billing readiness',
  logWriter: 'billing event log writer',
  logReader: 'billing event log reader',
  logListener: 'billing event log listener',
  sessionListener: 'billing ended sessions',
  streamCacheListener: 'billing stream cache',
  projectors: 'billing projectors',
  migrations: 'billing migrations',
  operator: 'billing operator',
} as const

/**
 * A connection that holds a lease has the name of the lease, which begins with one of these words.
 */
export const leaseNames = {
  projecting: 'projection',
  sharing: 'projectors',
  rebuilding: 'rebuild',
  reconciling: 'reconciler',
  reconcilingAccounts: 'reconciler of accounts',
  erasing: 'erasure',
  cleaning: 'cleaning',
  closing: 'close',
  keys: 'keys',
} as const

export type ApplicationName = (typeof applicationNames)[keyof typeof applicationNames]
