/**
 * The largest number of events per transaction during catch-up. Larger batches cost less per row.
 * Measured: 4,000 is one sixth faster than 1,000; above 4,000 nothing changes.
 */
export const largestBatch = 4_000
