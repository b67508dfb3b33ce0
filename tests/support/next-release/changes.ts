/** A change of one file: `find` occurs once and is replaced. */
export interface Change {
  readonly file: string
  readonly find: string
  readonly replace: string
}

/** @throws Error if the text does not have `find` once */
export function changed(text: string, { file, find, replace }: Change): string {
  if (text.split(find).length !== 2)
    throw new Error(`${file} does not have this text once, correct changes.ts: ${find}`)
  return text.replace(find, () => replace)
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
    find: "  ProfileDiscarded: event(['person'], {}),",
    replace: `  ProfileDiscarded: event(['person'], {}),
  ${addedType}: event(['person'], { by: z.string() }),`,
  },
  {
    file: 'contracts/event-labels.ts',
    find: "  ProfileDiscarded: { title: 'Company profile removed', kind: 'account', mark: 'other' },",
    replace: `  ProfileDiscarded: { title: 'Company profile removed', kind: 'account', mark: 'other' },
  ${addedType}: { title: 'Company profile confirmed', kind: 'account', mark: 'other' },`,
  },
  {
    file: 'contracts/event-sentences.ts',
    find: '  ProfileDiscarded: () =>\n',
    replace: `  ${addedType}: () => 'The company profile was confirmed.',\n  ProfileDiscarded: () =>\n`,
  },
  {
    file: 'services/admin/history/event-values.ts',
    find: '  ProfileDiscarded: { profile: () => profile(null) },',
    replace: `  ProfileDiscarded: { profile: () => profile(null) },\n  ${addedType}: {},`,
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
  ...[
    'projections/users/fold-event.ts',
    'projections/purchases/fold-customer.ts',
    'services/notifications/plan-account-mails.ts',
    'services/billing/customer-details-reactor.ts',
  ].map((file) => ({ file, find: 'ignores: [', replace: `ignores: [\n    '${addedType}',` })),
  { file: 'projections/users/read-model.ts', find: '  version: 7,', replace: '  version: 8,' },
  {
    file: 'contracts/events/billing.ts',
    find: "  CheckoutStarted: event(['checkout'], { checkoutId, lapsesAt: instant, ...terms }),",
    replace: `  CheckoutStarted: event(
    ['checkout'],
    { checkoutId, lapsesAt: instant, channel: z.string(), ...terms },
    [(data) => ({ ...data, channel: 'web' })],
  ),`,
  },
  {
    file: 'services/billing/checkout-start.ts',
    find: "      type: 'CheckoutStarted',\n      data: {\n",
    replace: "      type: 'CheckoutStarted',\n      data: {\n        channel: 'web',\n",
  },
]

/** The value that a field of PaymentSucceeded has in another next release. */
export const grownKind = 'wallet'

/**
 * Another next release knows one more way of payment, and records each card as this way. The read
 * models that fold payments have new versions, as docs/how-to.md demands.
 */
export const grownChanges: readonly Change[] = [
  {
    file: 'contracts/events/billing-parts.ts',
    find: "    z.object({ kind: z.literal('credit') }),",
    replace: `    z.object({ kind: z.literal('credit') }),
    z.object({ kind: z.literal('${grownKind}') }),`,
  },
  {
    file: 'contracts/payment-method-text.ts',
    find: "    case 'outside':\n",
    replace: `    case '${grownKind}':\n      return 'Wallet'\n    case 'outside':\n`,
  },
  ...['receipt.ts', 'payment-recovered.ts'].map((template) => ({
    file: `services/notifications/templates/${template}`,
    find: "    case 'method':\n",
    replace: `    case '${grownKind}':\n    case 'method':\n`,
  })),
  {
    file: 'services/notifications/templates/settled-by.ts',
    find: '{ method: 0,',
    replace: `{ method: 0, ${grownKind}: 0,`,
  },
  {
    file: 'services/payments/stripe/from-stripe/invoices.ts',
    find: "ways.push({ kind: 'method', method: methodFromStripe(intent?.payment_method) })",
    replace: `ways.push(intent === null ? { kind: 'method', method: methodFromStripe(null) } : { kind: '${grownKind}' })`,
  },
  { file: 'projections/users/read-model.ts', find: '  version: 7,', replace: '  version: 8,' },
  {
    file: 'projections/purchases/read-model.ts',
    find: '  version: 12,',
    replace: '  version: 13,',
  },
  {
    file: 'projections/reports/read-model.ts',
    find: '    version: 11,',
    replace: '    version: 12,',
  },
]
