/*
 * The plan catalogue: what is sold, and what the pages say about it. Plain data, free of zod, so
 * that the landing page can show a price without loading a validator. The plans' settings, sandbox
 * prices and public plan are derived from the catalogue.
 */

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

interface Plan<Id extends string> {
  /** Lower-case words and hyphens. */
  readonly id: Id
  readonly name: string
  /** Minor units of `currency`, for one interval. */
  readonly amount: number
  readonly currency: 'usd'
  readonly interval: 'month' | 'year'
  readonly intervalCount: number
  readonly accounts: string
  readonly features: PlanFeatures
  /** Sold on the public pages. The customer portal offers every plan. */
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

const catalogue = [
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
] as const satisfies readonly Plan<string>[]

export type PlanId = (typeof catalogue)[number]['id']
export type PlanDefinition = Plan<PlanId>
export const plans: readonly PlanDefinition[] = catalogue

/** The plan that the public pages show. */
export const publicPlan = planOnPages()

function planOnPages(): PlanDefinition {
  const marked = plans.filter((candidate) => candidate.public)
  const [plan] = marked
  if (plan && marked.length === 1) return plan
  const found = marked.length === 0 ? 'no plan' : marked.map(({ id }) => id).join(', ')
  throw new Error(
    `The public pages show one plan, but ${found} is public. Mark one plan as public in contracts/plans.ts.`,
  )
}

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

type SnakeCase<Text extends string> = Text extends `${infer Head}-${infer Rest}`
  ? `${Head}_${SnakeCase<Rest>}`
  : Text

function snakeCase<Text extends string>(text: Text): SnakeCase<Text> {
  return text.replaceAll('-', '_') as SnakeCase<Text>
}

/**
 * The setting that holds the id of the plan's price at Stripe: `STRIPE_PRICE_SIX_MONTH` for
 * `six-month`.
 */
export type PriceSetting = { [Id in PlanId]: `STRIPE_PRICE_${Uppercase<SnakeCase<Id>>}` }[PlanId]

export function priceSettingOf(planId: PlanId): PriceSetting {
  return `STRIPE_PRICE_${snakeCase(planId).toUpperCase()}` as PriceSetting
}

/** The plan's price in the sandbox: `price_sandbox_six_month` for `six-month`. */
export function sandboxPriceIdOf(planId: PlanId): string {
  return `price_sandbox_${snakeCase(planId)}`
}

/** The plan's product in the sandbox: `prod_sandbox_six_month` for `six-month`. */
export function sandboxProductIdOf(planId: PlanId): string {
  return `prod_sandbox_${snakeCase(planId)}`
}
