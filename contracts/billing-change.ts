import { z } from 'zod'
import { instant } from './instant.ts'
import { nameContracts } from './name-contracts.ts'

const plan = z.string()

/**
 * What is different in a customer's billing since a moment, as the customer sees it. Steps that
 * cancel each other out are no change. Amounts are in decimal major units of `currency`.
 */
export const billingChange = z.discriminatedUnion('kind', [
  /** The means of the next payments, in words; null after its removal. */
  z.object({ kind: z.literal('payment-method'), method: z.string().nullable() }),
  /** The name or the address on the next invoices. */
  z.object({ kind: z.literal('billing-details') }),
  /** A payment that went through. */
  z.object({ kind: z.literal('paid'), amount: z.number(), currency: z.string() }),
  /** `renews_at`: the renewal before the end; null if the plan does not renew again. */
  z.object({
    kind: z.literal('cancellation-scheduled'),
    plan,
    ends_at: instant,
    renews_at: instant.nullable(),
  }),
  z.object({ kind: z.literal('cancellation-withdrawn'), plan }),
  z.object({ kind: z.literal('ended'), plan }),
  z.object({ kind: z.literal('plan-changed'), from: plan, to: plan }),
  z.object({ kind: z.literal('plan-change-scheduled'), from: plan, to: plan, starts_at: instant }),
  /** The planned change will not happen: `plan` continues. */
  z.object({ kind: z.literal('plan-change-dropped'), plan }),
])
export type BillingChange = z.infer<typeof billingChange>

nameContracts({ BillingChange: billingChange })
