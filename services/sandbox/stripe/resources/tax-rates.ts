import type Stripe from 'stripe'
import { z } from 'zod'
import { saveChange } from '../../billing/save-change.ts'
import { newId } from '../../store/ids.ts'
import type { TaxRate } from '../../store/stripe-objects.ts'
import type { ReadTransaction, Transaction } from '../../store/transaction.ts'
import { invalid, missing, missingReference } from '../errors.ts'
import { having, listPage } from '../list-page.ts'
import { changing, reading, type Operation } from '../operation.ts'
import { created, flag, mergeMetadata, metadata, paging, paramsOf, text } from '../params.ts'

const percentage = z
  .string()
  .regex(/^\d{1,3}(\.\d{1,4})?$/, 'must be a number with at most four decimals')
  .transform(Number)
  .pipe(z.number().max(100, 'must be from 0 to 100'))

const createParams = paramsOf<Stripe.TaxRateCreateParams>()({
  display_name: z.string().min(1).max(50, 'is longer than 50 characters'),
  inclusive: flag,
  percentage,
  country: text.optional(),
  description: text.optional(),
  jurisdiction: text.optional(),
  metadata: metadata.optional(),
})
const updateParams = paramsOf<Stripe.TaxRateUpdateParams>()({ active: flag.optional() })
const listParams = paramsOf<Stripe.TaxRateListParams>()({
  ...paging,
  active: flag.optional(),
  created: created.optional(),
})

/** Tax rates that the merchant sets on a subscription. The sandbox calculates no tax by itself. */
export const taxRateOperations: readonly Operation[] = [
  changing('post', '/v1/tax_rates', createParams, async ({ tx, params }) => {
    const rate = newRate(params, tx.now)
    await tx.add(rate)
    await tx.emit('tax_rate.created', rate)
    return rate
  }),
  reading('/v1/tax_rates', listParams, ({ tx, params }) =>
    listPage(
      tx,
      'tax_rate',
      '/v1/tax_rates',
      params,
      having(['active'], params.active === undefined ? undefined : String(params.active)),
    ),
  ),
  reading('/v1/tax_rates/:id', paramsOf<Stripe.TaxRateRetrieveParams>()({}), ({ tx, id }) =>
    rateById(tx, id),
  ),
  changing('post', '/v1/tax_rates/:id', updateParams, async ({ tx, params, id }) =>
    activate(tx, await rateById(tx, id), params.active),
  ),
]

function newRate(params: z.infer<typeof createParams>, now: number): TaxRate {
  return {
    id: newId('tax_rate'),
    object: 'tax_rate',
    active: true,
    country: params.country ?? null,
    created: now,
    description: params.description ?? null,
    display_name: params.display_name,
    effective_percentage: null,
    flat_amount: null,
    inclusive: params.inclusive,
    jurisdiction: params.jurisdiction ?? null,
    jurisdiction_level: null,
    livemode: false,
    metadata: mergeMetadata({}, params.metadata),
    percentage: params.percentage,
    rate_type: 'percentage',
    state: null,
    tax_type: null,
  } satisfies TaxRate
}

async function activate(
  tx: Transaction,
  before: TaxRate,
  active: boolean | undefined,
): Promise<TaxRate> {
  const after = { ...before, active: active ?? before.active }
  await saveChange(tx, before, after)
  return after
}

async function rateById(tx: ReadTransaction, id: string): Promise<TaxRate> {
  const rate = await tx.find('tax_rate', id)
  if (!rate) throw missing('tax_rate', id)
  return rate
}

/** The named active rates. @throws StripeRefusal */
export async function taxRatesOf(
  tx: ReadTransaction,
  ids: readonly string[] | '',
): Promise<TaxRate[]> {
  const rates: TaxRate[] = []
  for (const [index, id] of (ids === '' ? [] : ids).entries()) {
    const rate = await tx.find('tax_rate', id)
    const param = `default_tax_rates[${index}]`
    if (!rate) throw missingReference('tax_rate', id, param)
    if (!rate.active) throw invalid(`The tax rate ${id} is inactive.`, { param })
    rates.push(rate)
  }
  if (rates.length > 1 && rates.some(({ inclusive }) => inclusive))
    throw invalid(
      'An inclusive tax rate must be the only one. (The sandbox does not simulate several.)',
      { param: 'default_tax_rates' },
    )
  return rates
}
