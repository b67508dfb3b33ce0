import { refAt, type ProviderRef } from '#contracts/events/provider-ref'
import type { ConnectedAccount, ConnectedAccounts } from '#services/payments/connected-accounts'
import { PaymentProviderUnavailable } from '#services/payments/payment-provider'

/** Nothing is asked any more. */
export const settled: ConnectedAccount['needs'] = {
  asked: 0,
  overdue: 0,
  isInReview: false,
  until: null,
  isRejected: false,
}

/** A new account: its form is not filled in. */
export const unfinished: ConnectedAccount = {
  canCharge: false,
  canPayOut: false,
  isSubmitted: false,
  needs: { ...settled, asked: 6, overdue: 6 },
}

export const usable: ConnectedAccount = {
  canCharge: true,
  canPayOut: true,
  isSubmitted: true,
  needs: settled,
}

/** A provider with idempotency keys, whose accounts the test changes. */
export function fakeAccounts() {
  const byKey = new Map<string, ProviderRef>()
  const accounts = new Map<ProviderRef, ConnectedAccount>()
  /** What the provider does before it answers. */
  const answers = {
    created: async (): Promise<void> => undefined,
    read: async (_ref: ProviderRef): Promise<void> => undefined,
  }
  const provider: ConnectedAccounts = {
    name: 'stripe',
    title: 'Stripe',
    async createAccount({ idempotencyKey }) {
      const made = byKey.get(idempotencyKey) ?? refAt('stripe', `acct_${byKey.size + 1}`)
      byKey.set(idempotencyKey, made)
      if (!accounts.has(made)) accounts.set(made, unfinished)
      await answers.created()
      return made
    },
    async onboardingLink(accountRef, { returnUrl, refreshUrl }) {
      if (!accounts.has(accountRef)) throw new Error('There is no such account.')
      const url = new URL('https://connect.provider.example/form')
      url.searchParams.set('return', returnUrl)
      url.searchParams.set('refresh', refreshUrl)
      return { url: url.href }
    },
    async accountOf(accountRef) {
      const found = accounts.get(accountRef) ?? null
      await answers.read(accountRef)
      return found
    },
    dashboardUrlOf: () => Promise.resolve({ url: 'https://dashboard.provider.example/' }),
  }
  return {
    provider,
    accounts,
    answers,
    /** The next calls fail after they took effect. */
    loses: () => Promise.reject(new PaymentProviderUnavailable('the call', new Error('lost'))),
  }
}
