/**
 * The plan catalogue: the plans, their prices and the features that the pages show. Free of zod,
 * so that the landing page can show a price without loading a validator.
 */
export type PlanId = 'monthly' | 'six-month' | 'annual'

export interface PlanFeatures {
  readonly accounts: string
  readonly emailSmsReminders: string
  readonly feeOnCustomerPayments: string
  readonly customerPaymentRouting: string
  readonly useYourOwnPaymentPortal: boolean
  readonly preBuiltTemplates: boolean
  readonly customBranding: boolean
  readonly clientPortalAccess: boolean
  readonly performanceDashboard: boolean
  readonly clientSupport: boolean
}

export interface PlanDefinition {
  readonly id: PlanId
  readonly name: string
  /** Minor units of `currency`, for one interval. */
  readonly amount: number
  readonly currency: 'usd'
  readonly interval: 'month' | 'year'
  readonly intervalCount: number
  readonly accounts: string
  readonly features: PlanFeatures
  /** True: the public pages sell the plan. False: only the customer portal offers the plan. */
  readonly public: boolean
}

const features: PlanFeatures = {
  accounts: 'Unlimited',
  emailSmsReminders: 'Unlimited',
  feeOnCustomerPayments: '5%',
  customerPaymentRouting: 'Direct to your account',
  useYourOwnPaymentPortal: true,
  preBuiltTemplates: true,
  customBranding: true,
  clientPortalAccess: true,
  performanceDashboard: true,
  clientSupport: true,
}

const shared = { currency: 'usd', accounts: 'Unlimited' } as const

export const plans: readonly PlanDefinition[] = [
  {
    ...shared,
    id: 'monthly',
    name: 'Monthly Plan',
    amount: 3900,
    interval: 'month',
    intervalCount: 1,
    features,
    public: true,
  },
  {
    ...shared,
    id: 'six-month',
    name: 'Six-Month Plan',
    amount: 19900,
    interval: 'month',
    intervalCount: 6,
    features,
    public: false,
  },
  {
    ...shared,
    id: 'annual',
    name: 'Annual Plan',
    amount: 35900,
    interval: 'year',
    intervalCount: 1,
    features: { ...features, feeOnCustomerPayments: '3%' },
    public: false,
  },
]

/** @throws Error if the plan catalogue has no plan with this id. */
export function planById(id: PlanId): PlanDefinition {
  const plan = plans.find((candidate) => candidate.id === id)
  if (!plan)
    throw new Error(`The plan catalogue has no plan '${id}'. Add it to contracts/plans.ts.`)
  return plan
}

/** The ten feature lines of the pricing pages, in the order of display. */
export const featureLabels: readonly {
  readonly key: keyof PlanFeatures
  readonly label: string
}[] = [
  { key: 'accounts', label: 'Accounts' },
  { key: 'emailSmsReminders', label: 'E-mail and text reminders' },
  { key: 'feeOnCustomerPayments', label: 'Fee on customer payments' },
  { key: 'customerPaymentRouting', label: 'Customer payments' },
  { key: 'useYourOwnPaymentPortal', label: 'Your own payment portal' },
  { key: 'preBuiltTemplates', label: 'Pre-built templates' },
  { key: 'customBranding', label: 'Custom branding' },
  { key: 'clientPortalAccess', label: 'Client portal access' },
  { key: 'performanceDashboard', label: 'Performance dashboard' },
  { key: 'clientSupport', label: 'Client support' },
]

/** Price ids of the sandbox, used if no STRIPE_PRICE_* is set. */
export const sandboxPriceIds: Readonly<Record<PlanId, string>> = {
  monthly: 'price_sandbox_monthly',
  'six-month': 'price_sandbox_six_month',
  annual: 'price_sandbox_annual',
}
