import type Stripe from 'stripe'
import { z } from 'zod'
import { brand } from '#contracts/brand/brand'
import type { Wire } from '../../store/stripe-objects.ts'
import type { ReadTransaction } from '../../store/transaction.ts'
import { connectedAccount, noAccess, platformAccountId } from '../connected-account.ts'
import { currencyOfCountry } from '../currency-of-country.ts'
import { invalid } from '../errors.ts'
import { listPage } from '../list-page.ts'
import { changing, reading, type Operation } from '../operation.ts'
import {
  absoluteUrl,
  created,
  emptyable,
  flag,
  mailAddress,
  mergeMetadata,
  metadata,
  paging,
  paramsOf,
  text,
} from '../params.ts'
import { emptyProfile, newAccount } from './new-account.ts'

const platform = {
  id: platformAccountId,
  object: 'account',
  charges_enabled: true,
  country: 'US',
  default_currency: 'usd',
  details_submitted: true,
  email: null,
  metadata: {},
  payouts_enabled: true,
  settings: null,
  business_profile: { ...emptyProfile, name: brand.name },
  type: 'standard',
} satisfies Wire<Stripe.Account>

const requested = z.strictObject({ requested: flag.optional() }).optional()
const onlyStandard = 'the sandbox has only accounts with the full Dashboard'

const createParams = paramsOf<Stripe.AccountCreateParams>()({
  business_profile: z
    .strictObject({
      mcc: z
        .string()
        .regex(/^\d{4}$/, 'must have four digits')
        .optional(),
      name: text.optional(),
      product_description: text.optional(),
      support_email: mailAddress.optional(),
      support_phone: text.optional(),
      url: absoluteUrl.optional(),
    })
    .optional(),
  business_type: z.enum(['company', 'government_entity', 'individual', 'non_profit']).optional(),
  capabilities: z.strictObject({ card_payments: requested, transfers: requested }).optional(),
  controller: z
    .strictObject({
      fees: z
        .strictObject({
          payer: z.literal('account', `must be account: ${onlyStandard}`).optional(),
        })
        .optional(),
      losses: z
        .strictObject({
          payments: z.literal('stripe', `must be stripe: ${onlyStandard}`).optional(),
        })
        .optional(),
      requirement_collection: z.literal('stripe', `must be stripe: ${onlyStandard}`).optional(),
      stripe_dashboard: z
        .strictObject({ type: z.literal('full', `must be full: ${onlyStandard}`).optional() })
        .optional(),
    })
    .optional(),
  country: z
    .string()
    .regex(/^[A-Z]{2}$/, 'must be a two-letter ISO code')
    .optional(),
  default_currency: z
    .string()
    .regex(/^[a-z]{3}$/i, 'must be a three-letter ISO code')
    .optional(),
  email: mailAddress.optional(),
  metadata: emptyable(metadata).optional(),
  type: z.literal('standard', `must be standard: ${onlyStandard}`).optional(),
})

/** The account that makes the call: the platform, or the connected account of the header. */
export const currentAccountOperations: readonly Operation[] = [
  reading('/v1/account', paramsOf<Stripe.AccountRetrieveParams>()({}), ({ tx }) =>
    accountById(tx, tx.account ?? platformAccountId),
  ),
  reading('/v1/accounts/:id', paramsOf<Stripe.AccountRetrieveParams>()({}), ({ tx, id }) =>
    accountById(tx, id),
  ),
]

export const accountOperations: readonly Operation[] = [
  changing('post', '/v1/accounts', createParams, async ({ tx, params }) => {
    if (params.type !== undefined && params.controller !== undefined)
      throw invalid('You may only specify one of these parameters: type, controller.', {
        code: 'parameters_exclusive',
        param: 'controller',
      })
    const country = params.country ?? 'US'
    const currency = currencyOfCountry(country)
    if (currency === null)
      throw invalid(`${country} is not currently supported by the sandbox.`, {
        code: 'country_unsupported',
        param: 'country',
      })
    const account = newAccount({
      ...params,
      country,
      currency: params.default_currency?.toLowerCase() ?? currency,
      metadata: mergeMetadata({}, params.metadata),
      now: tx.now,
    })
    await tx.add(account)
    return account
  }),
  reading(
    '/v1/accounts',
    paramsOf<Stripe.AccountListParams>()({ ...paging, created: created.optional() }),
    ({ tx, params }) =>
      listPage(tx, 'account', '/v1/accounts', params, [
        { path: ['sandbox', 'isConnected'], isOneOf: ['true'] },
      ]),
  ),
]

/** A connected account sees only itself. */
async function accountById(tx: ReadTransaction, id: string): Promise<object> {
  if (tx.account !== null && tx.account !== id) throw noAccess(id)
  return id === platformAccountId ? platform : connectedAccount(tx, id)
}
