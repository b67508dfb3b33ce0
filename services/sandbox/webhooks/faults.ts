import type { PoolClient } from 'pg'
import { z } from 'zod'

const range = 'must be a rate from 0 to 1.'
const rate = z.number(range).min(0, range).max(1, range)

/**
 * Simulated faults. Rates are probabilities, `latencyMs` delays each Stripe call, `errorRate` fails
 * Stripe calls. A fault that is left out does not occur.
 */
export const faultsSchema = z.strictObject({
  webhooks: z
    .strictObject({ duplicate: rate.optional(), reorder: rate.optional(), drop: rate.optional() })
    .optional(),
  errorRate: rate.optional(),
  latencyMs: z.number().int().min(0).max(60_000).optional(),
})
export type Faults = z.infer<typeof faultsSchema>

export async function readFaults(client: Pick<PoolClient, 'query'>): Promise<Faults> {
  const { rows } = await client.query<{ faults: Faults }>('SELECT faults FROM sandbox.settings')
  return rows[0]?.faults ?? {}
}

export async function saveFaults(client: Pick<PoolClient, 'query'>, faults: Faults): Promise<void> {
  await client.query('UPDATE sandbox.settings SET faults = $1', [JSON.stringify(faults)])
}

/** Returns true with this probability; a missing probability is 0. */
export function occurs(probability: number | undefined): boolean {
  return Math.random() < (probability ?? 0)
}
