import type Stripe from 'stripe'
import { newId } from '../../store/ids.ts'
import type { Account, Wire } from '../../store/stripe-objects.ts'

export const emptyProfile = {
  annual_revenue: null,
  estimated_worker_count: null,
  mcc: null,
  minority_owned_business_designation: null,
  name: null,
  product_description: null,
  specified_commercial_transactions_act_url: null,
  support_address: null,
  support_email: null,
  support_phone: null,
  support_url: null,
  url: null,
} satisfies Wire<Stripe.Account.BusinessProfile>

/** What a new account has to enter on the onboarding page. */
const dueAtFirst = [
  'business_profile.name',
  'business_profile.url',
  'business_type',
  'external_account',
  'tos_acceptance.date',
  'tos_acceptance.ip',
]

type Requirements = NonNullable<Account['requirements']>

export const nothingDue: Requirements = {
  alternatives: [],
  current_deadline: null,
  currently_due: [],
  disabled_reason: null,
  errors: [],
  eventually_due: [],
  past_due: [],
  pending_verification: [],
}

/** Requirements that keep the account from charging. */
export function requirementsDue(due: readonly string[]): Requirements {
  return {
    ...nothingDue,
    currently_due: [...due],
    disabled_reason: 'requirements.past_due',
    eventually_due: [...due],
    past_due: [...due],
  }
}

interface Capability {
  readonly requested?: boolean | undefined
}

/**
 * A new connected account with the full Dashboard. It can charge nothing before its onboarding. Not
 * saved yet.
 */
export function newAccount(made: {
  readonly business_profile?:
    | Partial<Readonly<Record<keyof typeof emptyProfile, string | undefined>>>
    | undefined
  readonly business_type?: Account['business_type']
  readonly capabilities?:
    | {
        readonly card_payments?: Capability | undefined
        readonly transfers?: Capability | undefined
      }
    | undefined
  readonly country: string
  readonly currency: string
  readonly email?: string | undefined
  readonly metadata: Record<string, string>
  readonly now: number
}): Account {
  const { capabilities } = made
  // Without the parameter, an account with the full Dashboard gets the capabilities of its country.
  const has = (capability: Capability | undefined) =>
    capabilities === undefined || capability?.requested === true
  const id = newId('account')
  return {
    id,
    object: 'account',
    business_profile: { ...emptyProfile, ...made.business_profile } as Account['business_profile'],
    business_type: made.business_type ?? null,
    capabilities: {
      ...(has(capabilities?.card_payments) ? { card_payments: 'inactive' } : {}),
      ...(has(capabilities?.transfers) ? { transfers: 'inactive' } : {}),
    },
    charges_enabled: false,
    controller: {
      fees: { payer: 'account' },
      is_controller: true,
      losses: { payments: 'stripe' },
      requirement_collection: 'stripe',
      stripe_dashboard: { type: 'full' },
      type: 'application',
    },
    country: made.country,
    created: made.now,
    default_currency: made.currency,
    details_submitted: false,
    email: made.email ?? null,
    external_accounts: {
      object: 'list',
      data: [],
      has_more: false,
      url: `/v1/accounts/${id}/external_accounts`,
    },
    future_requirements: nothingDue,
    metadata: made.metadata,
    payouts_enabled: false,
    requirements: requirementsDue(dueAtFirst),
    settings: settings(made.business_profile?.name ?? null),
    tos_acceptance: { date: null, ip: null, user_agent: null },
    type: 'standard',
    sandbox: { isConnected: true },
  } satisfies Account
}

function settings(displayName: string | null): Wire<Stripe.Account.Settings> {
  return {
    bacs_debit_payments: { display_name: null, service_user_number: null },
    branding: { icon: null, logo: null, primary_color: null, secondary_color: null },
    card_issuing: { tos_acceptance: { date: null, ip: null } },
    card_payments: {
      decline_on: { avs_failure: false, cvc_failure: false },
      statement_descriptor_prefix: null,
      statement_descriptor_prefix_kana: null,
      statement_descriptor_prefix_kanji: null,
    },
    dashboard: { display_name: displayName, timezone: 'Etc/UTC' },
    invoices: { default_account_tax_ids: null, hosted_payment_method_save: null },
    payments: {
      statement_descriptor: null,
      statement_descriptor_kana: null,
      statement_descriptor_kanji: null,
      statement_descriptor_prefix_kana: null,
      statement_descriptor_prefix_kanji: null,
    },
    payouts: {
      debit_negative_balances: true,
      schedule: { delay_days: 2, interval: 'daily' },
      statement_descriptor: null,
    },
    sepa_debit_payments: {},
  }
}
