import type { UserId } from '#contracts/ids'
import { billingDecider } from '#services/billing/billing-decider'
import { paymentIdOf, refundRequestIdOf } from '#services/billing/product-ids'
import type { RequestRefund } from '#services/billing/refund-payment'
import { randomIds } from '#services/foundation/ids'
import { billingStream } from '#services/foundation/stream-names'
import { refOf } from '#services/payments/stripe/from-stripe/references'
import { billingSideOfFile } from './billing-side-of-file.ts'
import { paidBy } from './sandbox-money.ts'

/**
 * A billing side for the refunds of the calling file: customers who have paid, the dialog of an
 * administrator, and what the provider has refunded.
 */
export async function refundingOfFile() {
  const { sandbox, side } = await billingSideOfFile()
  const { stripe } = sandbox

  let count = 0
  function context(name: string) {
    const commandId = `${name} ${(count += 1)}`
    return {
      commandId,
      correlationId: commandId,
      actor: { kind: 'admin', id: 'admin_1' },
      source: 'api',
    } as const
  }

  /** A customer who has paid $39.00, with the recorded payment. */
  async function bought() {
    const { userId, customer } = await side.buy()
    await side.billing.sync(userId, context('sync'))
    const [charge] = (await stripe.charges.list({ customer })).data
    const paymentId = (await eventsOf(userId, 'PaymentSucceeded'))[0]!.data.paymentId
    return { userId, customer, charge: charge!, paymentId }
  }

  /** A new account whose customer exists at the provider. */
  async function link(customer: string) {
    const userId = randomIds.userId()
    await side.commands.handle({
      decider: billingDecider,
      stream: billingStream(userId),
      command: {
        type: 'link-customer',
        customerRef: refOf(customer),
        replaces: null,
        at: new Date().toISOString(),
      },
      context: context('link'),
    })
    return userId
  }

  /** A new account that has paid with this card, or for this price. */
  async function linked({ card, price }: { readonly card?: string; readonly price?: string }) {
    const { customer, charge, invoice } = await paidBy(stripe, card, price)
    return {
      userId: await link(customer),
      customer,
      charge,
      paymentId: paymentIdOf(refOf(invoice)),
    }
  }
  type Bought = Awaited<ReturnType<typeof bought>>

  async function eventsOf<Type extends 'PaymentSucceeded' | 'RefundRequested' | 'RefundRecorded'>(
    userId: UserId,
    type: Type,
  ) {
    return (await side.eventsOf(userId)).filter(
      (event): event is Extract<typeof event, { type: Type }> => event.type === type,
    )
  }

  function refund(
    { userId, paymentId }: Pick<Bought, 'userId' | 'paymentId'>,
    amount: number,
    dialog = `dialog ${(count += 1)}`,
    changes: Partial<RequestRefund> = {},
  ) {
    return side.refunds.request(
      userId,
      {
        requestId: refundRequestIdOf(paymentId, dialog),
        paymentId,
        amount: { amount, currency: 'usd' },
        reason: 'requested_by_customer',
        note: 'Asked on the phone.',
        limit: null,
        ...changes,
      },
      context('refund'),
    )
  }

  /** Completes the waiting refund, as the reactor does. */
  async function complete({ userId }: Bought) {
    for (const { data } of await eventsOf(userId, 'RefundRequested'))
      await side.refunds.complete(userId, data.requestId, context('reactor'))
  }

  async function refundsAtProvider({ charge }: Bought) {
    const { data } = await stripe.refunds.list({ charge: charge.id, limit: 100 })
    return data.map(({ amount }) => amount)
  }
  const refundTypes = async ({ userId }: Bought) =>
    (await side.typesOf(userId)).filter((type) => type.startsWith('Refund'))

  /** Answers the next `times` calls that create a refund with `answer`. */
  function answerNext(
    answer: (forward: () => Promise<Response>) => Promise<Response>,
    times = 1,
  ): void {
    let left = times
    side.intercept = async (call, forward) => {
      if (call !== 'POST /v1/refunds' || left === 0) return null
      left -= 1
      return answer(forward)
    }
  }
  const broken = async (): Promise<Response> =>
    Response.json({ error: { type: 'api_error', message: 'Try again.' } }, { status: 500 })

  return {
    side,
    sandbox,
    stripe,
    context,
    bought,
    link,
    linked,
    eventsOf,
    refund,
    complete,
    refundsAtProvider,
    refundTypes,
    answerNext,
    broken,
  }
}
