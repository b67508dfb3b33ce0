import type Stripe from 'stripe'
import { brand } from '#contracts/brand/brand'
import type { Wire } from '../../store/stripe-objects.ts'
import { reading, type Operation } from '../operation.ts'
import { paramsOf } from '../params.ts'

const account = {
  id: 'acct_sandbox',
  object: 'account',
  charges_enabled: true,
  country: 'US',
  default_currency: 'usd',
  details_submitted: true,
  email: null,
  metadata: {},
  payouts_enabled: true,
  settings: null,
  business_profile: {
    annual_revenue: null,
    estimated_worker_count: null,
    mcc: null,
    minority_owned_business_designation: null,
    name: brand.name,
    specified_commercial_transactions_act_url: null,
    support_address: null,
    support_email: null,
    support_phone: null,
    support_url: null,
    url: null,
  },
  type: 'standard',
} satisfies Wire<Stripe.Account>

export const accountOperations: readonly Operation[] = [
  reading('/v1/account', paramsOf<Stripe.AccountRetrieveParams>()({}), async () => account),
]
