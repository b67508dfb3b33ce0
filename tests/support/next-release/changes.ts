/** A change of one file: `find` occurs once and is replaced. */
export interface Change {
  readonly file: string
  readonly find: string
  readonly replace: string
}

/** The version of the next release. No release of the product has it. */
export const nextRelease = '99.1.0'

/** The event type that the next release adds. */
export const addedType = 'ProfileConfirmed'

/**
 * What the next release changes: a type that a sign-up also records, a new version of
 * CheckoutStarted, and another version of the read model `users`. The steps are those of
 * docs/how-to.md.
 */
export const changes: readonly Change[] = [
  {
    file: 'contracts/events/account.ts',
    find: '  ProfileDiscarded: event({}),',
    replace: `  ProfileDiscarded: event({}),\n  ${addedType}: event({ by: z.string() }),`,
  },
  {
    file: 'contracts/event-labels.ts',
    find: "  ProfileDiscarded: { title: 'Company profile removed', kind: 'account', mark: 'other' },",
    replace: `  ProfileDiscarded: { title: 'Company profile removed', kind: 'account', mark: 'other' },
  ${addedType}: { title: 'Company profile confirmed', kind: 'account', mark: 'other' },`,
  },
  {
    file: 'services/accounts/account-decider.ts',
    find: "      case 'ProfileDiscarded':\n",
    replace: `      case '${addedType}':\n        return state\n      case 'ProfileDiscarded':\n`,
  },
  {
    file: 'services/accounts/account-decider.ts',
    find: `            type: 'CompanyProfileCompleted',
            data: { ...profile, termsVersion },
            occurredAt,
          })`,
    replace: `            type: 'CompanyProfileCompleted',
            data: { ...profile, termsVersion },
            occurredAt,
          }, { type: '${addedType}', data: { by: 'customer' }, occurredAt })`,
  },
  {
    file: 'projections/users/fold-event.ts',
    find: "const ignoredTypes = [\n  'EmailClaimDropped',",
    replace: `const ignoredTypes = [\n  '${addedType}',\n  'EmailClaimDropped',`,
  },
  {
    file: 'projections/users/read-model.ts',
    find: '  version: 6,',
    replace: '  version: 7,',
  },
  {
    file: 'projections/purchases/fold-customer.ts',
    find: "export const ignoredAccountTypes = ['EmailVerified',",
    replace: `export const ignoredAccountTypes = ['${addedType}', 'EmailVerified',`,
  },
  {
    file: 'contracts/events/billing.ts',
    find: '  CheckoutStarted: event({ checkoutId, lapsesAt: instant, ...terms }),',
    replace: `  CheckoutStarted: event({ checkoutId, lapsesAt: instant, channel: z.string(), ...terms }, [
    (data) => ({ ...data, channel: 'web' }),
  ]),`,
  },
  {
    file: 'services/billing/checkout-start.ts',
    find: "      type: 'CheckoutStarted',\n      data: {\n",
    replace: "      type: 'CheckoutStarted',\n      data: {\n        channel: 'web',\n",
  },
]
