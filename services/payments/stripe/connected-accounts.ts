import Stripe from 'stripe'
import type { UserId } from '#contracts/ids'
import type { ConnectedAccount, ConnectedAccounts } from '../connected-accounts.ts'
import { calling, isOtherRequest } from './calls.ts'
import { instantOrNull, refOf, stripeIdOf, stripeName } from './from-stripe/references.ts'

/**
 * Merchants' accounts at Stripe, each with Stripe's full Dashboard: the merchant carries its own
 * refunds, disputes and costs. `dashboardUrl` is the origin of Stripe's pages.
 */
export function createStripeConnectedAccounts(
  stripe: Stripe,
  { dashboardUrl }: { readonly dashboardUrl: string },
): ConnectedAccounts {
  return {
    name: stripeName,
    title: 'Stripe',

    createAccount: ({ merchantId, email, country, idempotencyKey }) =>
      calling('creating the account', async () => {
        const account = await stripe.accounts
          .create(
            {
              country,
              email,
              controller: {
                fees: { payer: 'account' },
                losses: { payments: 'stripe' },
                requirement_collection: 'stripe',
                stripe_dashboard: { type: 'full' },
              },
              capabilities: {
                card_payments: { requested: true },
                transfers: { requested: true },
              },
              metadata: { merchantId, [requestKey]: idempotencyKey },
            },
            { idempotencyKey },
          )
          .catch((error: unknown) => accountMadeBefore(stripe, error, merchantId, idempotencyKey))
        return refOf(account.id)
      }),

    onboardingLink: (accountRef, { returnUrl, refreshUrl }) =>
      calling("opening the account's form", async () => {
        const { url } = await stripe.accountLinks.create({
          account: stripeIdOf(accountRef),
          type: 'account_onboarding',
          return_url: returnUrl,
          refresh_url: refreshUrl,
        })
        return { url }
      }),

    accountOf: (accountRef) =>
      calling('reading the account', async () => {
        const account = await stripe.accounts
          .retrieve(stripeIdOf(accountRef))
          .catch(nullWithoutAccess)
        return account === null || isDeleted(account) ? null : accountFrom(account)
      }),

    dashboardUrlOf: (accountRef) =>
      Promise.resolve({ url: new URL(stripeIdOf(accountRef), dashboardUrl).href }),
  }
}

/** The metadata that says which request made an account. */
const requestKey = 'request'

/**
 * The account that another request under the same key made: the e-mail address of the merchant
 * changed since. Stripe keeps a key for 24 h.
 */
async function accountMadeBefore(
  stripe: Stripe,
  error: unknown,
  merchantId: UserId,
  idempotencyKey: string,
): Promise<Stripe.Account> {
  if (!isOtherRequest(error)) throw error
  for await (const account of stripe.accounts.list({ limit: 100 })) {
    const { metadata } = account
    if (metadata?.['merchantId'] === merchantId && metadata[requestKey] === idempotencyKey)
      return account
  }
  throw error
}

/**
 * Stripe answers so for an account that removed the product, and for one that does not exist. Any
 * other refusal, such as of a key without the right, says nothing about the account.
 */
function nullWithoutAccess(error: unknown): null {
  if (
    error instanceof Stripe.errors.StripeError &&
    (error.code === 'account_invalid' || error.code === 'resource_missing')
  )
    return null
  throw error
}

/** The type of the answer does not name what Stripe answers for a deleted account. */
function isDeleted(account: object): boolean {
  return 'deleted' in account && account.deleted === true
}

function accountFrom({
  charges_enabled,
  payouts_enabled,
  details_submitted,
  requirements,
}: Stripe.Account): ConnectedAccount {
  const overdue = requirements?.past_due ?? []
  const asked = new Set([...(requirements?.currently_due ?? []), ...overdue])
  return {
    canCharge: charges_enabled,
    canPayOut: payouts_enabled,
    isSubmitted: details_submitted,
    needs: {
      asked: asked.size,
      overdue: overdue.length,
      isInReview: (requirements?.pending_verification ?? []).length > 0,
      until: instantOrNull(requirements?.current_deadline),
      isRejected: requirements?.disabled_reason?.startsWith('rejected.') ?? false,
    },
  }
}
