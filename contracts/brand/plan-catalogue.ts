/*
 * The plan catalogue: what is sold, at what price, and what the pages say about it. Plain data. The
 * settings, sandbox prices and the public plan are derived from it in contracts/plans.ts.
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

export interface Plan<Id extends string> {
  /** Lower-case words and hyphens. */
  readonly id: Id
  readonly name: string
  /** Minor units of `currency`, for one interval. */
  readonly amount: number
  readonly currency: 'usd'
  readonly interval: 'month' | 'year'
  readonly intervalCount: number
  /** The fee on a client's payment through the portal, in hundredths of a percent of it. */
  readonly feeBasisPoints: number
  readonly accounts: string
  readonly features: PlanFeatures
  /** Sold on the public pages. The customer portal offers every plan. */
  readonly public: boolean
}

/** The fee and the features of a plan, which name the fee in percent: 250 is '2.5%'. */
function withFee(feeBasisPoints: number) {
  const features: PlanFeatures = {
    accounts: 'Unlimited',
    emailSmsReminders: 'Unlimited',
    feeOnCustomerPayments: `${feeBasisPoints / 100}%`,
    customerPaymentRouting: 'Direct to your account',
    useYourOwnPaymentPortal: true,
    preBuiltTemplates: true,
    customBranding: true,
    clientPortalAccess: true,
    performanceDashboard: true,
    clientSupport: true,
  }
  return { feeBasisPoints, features }
}

const shared = { currency: 'usd', accounts: 'Unlimited' } as const

export const catalogue = [
  {
    ...shared,
    id: 'monthly',
    name: 'Monthly Plan',
    amount: 3900,
    interval: 'month',
    intervalCount: 1,
    ...withFee(500),
    public: true,
  },
  {
    ...shared,
    id: 'six-month',
    name: 'Six-Month Plan',
    amount: 19900,
    interval: 'month',
    intervalCount: 6,
    ...withFee(500),
    public: false,
  },
  {
    ...shared,
    id: 'annual',
    name: 'Annual Plan',
    amount: 35900,
    interval: 'year',
    intervalCount: 1,
    ...withFee(300),
    public: false,
  },
] as const satisfies readonly Plan<string>[]

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
