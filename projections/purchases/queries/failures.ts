import { z } from 'zod'
import type { PaymentFailure } from '#contracts/admin/payments'
import { dateColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'
import { chargeRow, type ChargeRow } from '../rows.ts'
import { schema } from './schema.ts'

const siblingRow = z.object({
  payment_id: z.string(),
  status: chargeRow.shape.status,
  attempt: chargeRow.shape.attempt,
  occurred_at: dateColumn,
})
type Sibling = z.infer<typeof siblingRow>

/**
 * What became of failed attempts, by the other charges of their invoices. The returned function
 * answers null for a charge that did not fail.
 */
export async function failuresOf(
  db: Queryable,
  charges: readonly ChargeRow[],
): Promise<(charge: ChargeRow) => PaymentFailure | null> {
  const failed = charges.filter(({ status }) => status === 'failed')
  const siblings =
    failed.length === 0
      ? []
      : await allRows(
          db,
          siblingRow,
          `SELECT payment_id, status, attempt, occurred_at FROM ${schema}.charge WHERE payment_id = ANY ($1)`,
          [[...new Set(failed.map(({ payment_id }) => payment_id))]],
        )
  return ({ status, payment_id, attempt, failure_reason, next_attempt_at }) => {
    if (status !== 'failed' || attempt === null) return null
    const others = siblings.filter((each) => each.payment_id === payment_id)
    const outcome = outcomeOf(attempt, others)
    const paidAt = others.find((each) => each.status === 'paid')?.occurred_at
    return {
      attempt,
      reason: failure_reason ?? '',
      outcome,
      next_attempt_at: outcome === 'open' ? (next_attempt_at?.toISOString() ?? null) : null,
      recovered_at: paidAt?.toISOString() ?? null,
    }
  }
}

/** An uncollectible invoice can still be paid, so a payment comes first. */
function outcomeOf(attempt: number, others: readonly Sibling[]): PaymentFailure['outcome'] {
  const has = (status: Sibling['status']) => others.some((each) => each.status === status)
  if (has('paid')) return 'recovered'
  if (has('voided')) return 'voided'
  if (has('uncollectible')) return 'uncollectible'
  return others.some((each) => (each.attempt ?? 0) > attempt) ? 'retried' : 'open'
}
