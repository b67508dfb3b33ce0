import type Stripe from 'stripe'
import { z } from 'zod'
import { changeMethod, detachMethod } from '../../billing/change-method.ts'
import type { PaymentMethod } from '../../store/stripe-objects.ts'
import type { ReadTransaction } from '../../store/transaction.ts'
import { missing } from '../errors.ts'
import { changing, type Operation } from '../operation.ts'
import {
  address,
  emptiableText,
  emptyable,
  integer,
  mailAddress,
  mergeMetadata,
  metadata,
  paramsOf,
  toAddress,
} from '../params.ts'

const updateParams = paramsOf<Stripe.PaymentMethodUpdateParams>()({
  billing_details: z
    .strictObject({
      address: emptyable(address).optional(),
      email: emptyable(mailAddress).optional(),
      name: emptiableText.optional(),
      phone: emptiableText.optional(),
    })
    .optional(),
  card: z
    .strictObject({
      exp_month: integer.pipe(z.number().min(1).max(12)).optional(),
      exp_year: integer.pipe(z.number().min(2_000).max(2_200)).optional(),
    })
    .optional(),
  metadata: emptyable(metadata).optional(),
})

/** The calls that change a payment method. The pages create payment methods. */
export const paymentMethodActionOperations: readonly Operation[] = [
  changing('post', '/v1/payment_methods/:id', updateParams, async ({ tx, params, id }) => {
    const method = await methodById(tx, id)
    return changeMethod(tx, method, changeOf(method, params))
  }),
  changing(
    'post',
    '/v1/payment_methods/:id/detach',
    paramsOf<Stripe.PaymentMethodDetachParams>()({}),
    async ({ tx, id }) => detachMethod(tx, await methodById(tx, id)),
  ),
]

function changeOf(
  method: PaymentMethod,
  { billing_details: details, card, metadata: labels }: z.infer<typeof updateParams>,
): Partial<PaymentMethod> {
  const { exp_month = method.card?.exp_month, exp_year = method.card?.exp_year } = card ?? {}
  const texts = (['email', 'name', 'phone'] as const).filter((key) => details?.[key] !== undefined)
  return {
    billing_details: {
      ...method.billing_details,
      ...Object.fromEntries(texts.map((key) => [key, details?.[key] || null])),
      ...(details?.address === undefined ? {} : { address: toAddress(details.address) }),
    },
    ...(method.card === undefined || exp_month === undefined || exp_year === undefined
      ? {}
      : { card: { ...method.card, exp_month, exp_year } }),
    metadata: mergeMetadata(method.metadata ?? {}, labels),
  }
}

async function methodById(tx: ReadTransaction, id: string): Promise<PaymentMethod> {
  const method = await tx.find('payment_method', id)
  if (!method) throw missing('PaymentMethod', id)
  return method
}
