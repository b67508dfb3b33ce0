import { backOff } from 'exponential-backoff'
import type Stripe from 'stripe'
import type {
  AccountCharge,
  AccountDispute,
  AccountObjects,
  AccountRefund,
} from '../account-objects.ts'
import {
  accountCharge,
  accountCreditNote,
  accountDispute,
  accountFee,
  accountInvoice,
  accountRefund,
  accountSubscription,
} from './from-stripe/account-objects.ts'
import { stripeIdOf, stripeName } from './from-stripe/references.ts'
import type { AccountReader } from '../account-reader.ts'
import { PaymentProviderRefused, PaymentProviderUnavailable } from '../payment-provider.ts'
import { calling, nullIfMissing } from './calls.ts'

interface AccountReaderOptions {
  /** Receives the number of objects of each page. */
  readonly onObjects?: (count: number) => void
  /** The first pause after a failure, in milliseconds. Default 1,000. */
  readonly firstPauseMs?: number
}

interface Page {
  readonly limit: number
  readonly starting_after?: string
}

const perPage = 100
const attemptsPerPage = 5

/** One page at a time: Stripe's rate limit leaves room for the product meanwhile. */
export function createAccountReader(
  stripe: Stripe,
  { onObjects = () => undefined, firstPauseMs = 1_000 }: AccountReaderOptions = {},
): AccountReader {
  /** The SDK repeats a failed call twice at once, and never after a rate limit: 429. */
  function withRetries<T>(doing: string, call: () => Promise<T>): Promise<T> {
    return backOff(() => calling(doing, call), {
      numOfAttempts: attemptsPerPage,
      startingDelay: firstPauseMs,
      jitter: 'full',
      retry: (error: unknown) => error instanceof PaymentProviderUnavailable,
    })
  }

  /** Only what `take` returns of an object stays in memory. */
  async function everyPage<T extends { readonly id?: string }, Taken>(
    what: string,
    list: (page: Page) => Promise<Stripe.ApiList<T>>,
    take: (object: T) => Taken,
  ): Promise<Taken[]> {
    const taken: Taken[] = []
    let page: Page = { limit: perPage }
    for (;;) {
      const { data, has_more } = await withRetries(`listing every ${what}`, () => list(page))
      for (const object of data) taken.push(take(object))
      onObjects(data.length)
      const last = data.at(-1)?.id
      if (!has_more || last === undefined) return taken
      page = { limit: perPage, starting_after: last }
    }
  }

  const refundsOf = (of: { readonly charge?: string }) =>
    everyPage('refund', (page) => stripe.refunds.list({ ...page, ...of }), accountRefund)
  const disputesOf = (of: { readonly charge?: string }) =>
    everyPage('dispute', (page) => stripe.disputes.list({ ...page, ...of }), accountDispute)

  return {
    provider: stripeName,

    accountId: async () => {
      try {
        return await withRetries('looking up the account', async () => {
          const { id } = await stripe.accounts.retrieveCurrent()
          return id
        })
      } catch (error) {
        if (isForbidden(error)) return null
        throw error
      }
    },

    async objects(customerRef) {
      const of = customerRef === null ? {} : { customer: stripeIdOf(customerRef) }
      const charges = await everyPage(
        'charge',
        (page) =>
          stripe.charges.list({
            ...page,
            ...of,
            ...(customerRef === null ? {} : { expand: ['data.refunds'] }),
          }),
        (charge) => ({
          charge: accountCharge(charge),
          // A charge has its newest ten refunds.
          refunds: charge.refunds?.has_more === false ? charge.refunds.data : null,
          isDisputed: charge.disputed,
        }),
      )
      return {
        charges: charges.map(({ charge }) => charge),
        invoices: await everyPage(
          'invoice',
          (page) => stripe.invoices.list({ ...page, ...of, expand: ['data.payments'] }),
          accountInvoice,
        ),
        subscriptions: await everyPage(
          'subscription',
          (page) => stripe.subscriptions.list({ ...page, ...of, status: 'all' }),
          accountSubscription,
        ),
        creditNotes: await everyPage(
          'credit note',
          (page) => stripe.creditNotes.list({ ...page, ...of }),
          accountCreditNote,
        ),
        ...(customerRef === null
          ? { refunds: await refundsOf({}), disputes: await disputesOf({}) }
          : await ofCharges(charges, { refundsOf, disputesOf })),
      }
    },

    fees: () => everyPage('fee', (page) => stripe.applicationFees.list({ ...page }), accountFee),

    fee: (feeRef) =>
      withRetries('reading a fee', () =>
        stripe.applicationFees.retrieve(stripeIdOf(feeRef)).then(accountFee).catch(nullIfMissing),
      ),
  }
}

/** A restricted key without the right to read the account. Any other call shows a wrong key. */
function isForbidden(error: unknown): boolean {
  return error instanceof PaymentProviderRefused
}

/** Reads what belongs to a charge. */
interface ReadingByCharge {
  refundsOf(of: { readonly charge: string }): Promise<readonly AccountRefund[]>
  disputesOf(of: { readonly charge: string }): Promise<readonly AccountDispute[]>
}

/** Stripe lists refunds and disputes by charge, not by customer. */
async function ofCharges(
  charges: readonly {
    readonly charge: AccountCharge
    readonly refunds: readonly Stripe.Refund[] | null
    readonly isDisputed: boolean
  }[],
  { refundsOf, disputesOf }: ReadingByCharge,
): Promise<Pick<AccountObjects, 'refunds' | 'disputes'>> {
  const [refunds, disputes] = [[] as AccountRefund[], [] as AccountDispute[]]
  for (const { charge, refunds: known, isDisputed } of charges) {
    const of = { charge: stripeIdOf(charge.ref) }
    refunds.push(...(known === null ? await refundsOf(of) : known.map(accountRefund)))
    if (isDisputed) disputes.push(...(await disputesOf(of)))
  }
  return { refunds, disputes }
}
