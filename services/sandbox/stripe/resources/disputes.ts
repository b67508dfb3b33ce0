import type Stripe from 'stripe'
import { z } from 'zod'
import {
  acceptDispute,
  changeDispute,
  isOpenDispute,
  submitEvidence,
} from '../../billing/disputes.ts'
import type { Dispute } from '../../store/stripe-objects.ts'
import type { ReadTransaction, Transaction } from '../../store/transaction.ts'
import { invalid, missing } from '../errors.ts'
import { having, listPage } from '../list-page.ts'
import { changing, reading, type Operation } from '../operation.ts'
import {
  created,
  emptyable,
  flag,
  mergeMetadata,
  metadata,
  paging,
  paramsOf,
  text,
} from '../params.ts'

const evidenceText = z.string().max(20_000, 'is longer than 20000 characters').optional()

/** The evidence in words; the sandbox has no files. */
const evidence = z.strictObject({
  access_activity_log: evidenceText,
  billing_address: evidenceText,
  cancellation_policy_disclosure: evidenceText,
  cancellation_rebuttal: evidenceText,
  customer_email_address: evidenceText,
  customer_name: evidenceText,
  customer_purchase_ip: evidenceText,
  duplicate_charge_explanation: evidenceText,
  duplicate_charge_id: evidenceText,
  product_description: evidenceText,
  refund_policy_disclosure: evidenceText,
  refund_refusal_explanation: evidenceText,
  service_date: evidenceText,
  shipping_address: evidenceText,
  shipping_carrier: evidenceText,
  shipping_date: evidenceText,
  shipping_tracking_number: evidenceText,
  uncategorized_text: evidenceText,
})

const updateParams = paramsOf<Stripe.DisputeUpdateParams>()({
  evidence: evidence.optional(),
  metadata: emptyable(metadata).optional(),
  submit: flag.optional(),
})
const listParams = paramsOf<Stripe.DisputeListParams>()({
  ...paging,
  charge: text.optional(),
  created: created.optional(),
  payment_intent: text.optional(),
})

export const disputeOperations: readonly Operation[] = [
  reading('/v1/disputes', listParams, ({ tx, params }) =>
    listPage(tx, 'dispute', '/v1/disputes', params, [
      ...having(['charge'], params.charge),
      ...having(['payment_intent'], params.payment_intent),
    ]),
  ),
  reading('/v1/disputes/:id', paramsOf<Stripe.DisputeRetrieveParams>()({}), ({ tx, id }) =>
    disputeById(tx, id),
  ),
  changing('post', '/v1/disputes/:id', updateParams, async ({ tx, params, id }) =>
    answerDispute(tx, await openDispute(tx, id), params),
  ),
  changing(
    'post',
    '/v1/disputes/:id/close',
    paramsOf<Stripe.DisputeCloseParams>()({}),
    async ({ tx, id }) => acceptDispute(tx, await openDispute(tx, id)),
  ),
]

/** Evidence is submitted unless `submit` is false. Metadata alone submits nothing. */
async function answerDispute(
  tx: Transaction,
  dispute: Dispute,
  params: z.infer<typeof updateParams>,
): Promise<Dispute> {
  const given = Object.entries(params.evidence ?? {}).map(([key, value]) => [key, value || null])
  const change: Partial<Dispute> = {
    metadata: mergeMetadata(dispute.metadata, params.metadata),
    evidence: { ...dispute.evidence, ...Object.fromEntries(given) } as Dispute['evidence'],
  }
  const hasEvidence = Object.values(change.evidence ?? {}).some((text) => typeof text === 'string')
  const staged: Partial<Dispute> = {
    ...change,
    evidence_details: { ...dispute.evidence_details, has_evidence: hasEvidence },
  }
  return (params.submit ?? params.evidence !== undefined)
    ? submitEvidence(tx, dispute, staged)
    : changeDispute(tx, dispute, staged)
}

async function disputeById(tx: ReadTransaction, id: string): Promise<Dispute> {
  const dispute = await tx.find('dispute', id)
  if (!dispute) throw missing('dispute', id)
  return dispute
}

async function openDispute(tx: ReadTransaction, id: string): Promise<Dispute> {
  const dispute = await disputeById(tx, id)
  if (!isOpenDispute(dispute)) throw invalid('This dispute is already closed')
  return dispute
}
