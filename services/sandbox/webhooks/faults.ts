import { z } from 'zod'
import type { Queryable } from '#services/foundation/queryable'
import { oneRow } from '#services/foundation/rows'

const range = 'must be a rate from 0 to 1.'
const rate = z.number(range).min(0, range).max(1, range)

/**
 * Simulated faults. Rates are probabilities, `latencyMs` delays each Stripe call, `errorRate` fails
 * Stripe calls, `errorEvery` fails each nth Stripe call. A fault that is left out does not occur.
 */
export const faultsSchema = z.strictObject({
  webhooks: z
    .strictObject({ duplicate: rate.optional(), reorder: rate.optional(), drop: rate.optional() })
    .optional(),
  errorRate: rate.optional(),
  errorEvery: z.number().int().min(1).max(1_000_000).optional(),
  latencyMs: z.number().int().min(0).max(60_000).optional(),
})
export type Faults = z.infer<typeof faultsSchema>

const settingsRow = z.object({ faults: faultsSchema })

export async function readFaults(client: Queryable): Promise<Faults> {
  const { faults } = await oneRow(client, settingsRow, 'SELECT faults FROM sandbox.settings')
  return faults
}

export async function saveFaults(client: Queryable, faults: Faults): Promise<void> {
  await client.query('UPDATE sandbox.settings SET faults = $1', [JSON.stringify(faults)])
}

/** Returns true with this probability; a missing probability is 0. */
export function occurs(probability: number | undefined): boolean {
  return Math.random() < (probability ?? 0)
}
