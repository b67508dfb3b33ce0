import type Stripe from 'stripe'

export type Dashboard = ReturnType<typeof createDashboard>

/**
 * What the operator does in the provider's dashboard, as calls of its API. Every function rejects
 * if the provider refuses the call.
 */
export function createDashboard(stripe: Stripe) {
  async function liveSubscription(customer: string): Promise<Stripe.Subscription> {
    const [subscription] = (await stripe.subscriptions.list({ customer })).data
    if (subscription === undefined) throw new Error(`${customer} has no live subscription.`)
    return subscription
  }

  return {
    /** The customer of a checkout session. */
    async customerOf(sessionId: string): Promise<string> {
      const { customer } = await stripe.checkout.sessions.retrieve(sessionId)
      if (customer === null) throw new Error(`The checkout ${sessionId} has no customer.`)
      return typeof customer === 'string' ? customer : customer.id
    },

    /**
     * Changes the price at once. The time of the proration counts from the start of the period, so
     * the amounts do not depend on the second of the call. Half a day less is always in the past.
     */
    async changePrice(customer: string, price: string, daysPaid: number): Promise<void> {
      const { id, items } = await liveSubscription(customer)
      const [item] = items.data
      if (item === undefined) throw new Error(`The subscription ${id} has no item.`)
      await stripe.subscriptions.update(id, {
        items: [{ id: item.id, price }],
        proration_behavior: 'always_invoice',
        proration_date: item.current_period_start + daysPaid * 86_400 - 43_200,
      })
    },

    async pause(customer: string): Promise<void> {
      const { id } = await liveSubscription(customer)
      await stripe.subscriptions.update(id, { pause_collection: { behavior: 'void' } })
    },

    async resume(customer: string): Promise<void> {
      const { id } = await liveSubscription(customer)
      await stripe.subscriptions.update(id, { pause_collection: '' })
    },

    /** Refunds a share of the latest payment that can still be refunded in full. */
    async refund(customer: string, share: number): Promise<void> {
      const charges = (await stripe.charges.list({ customer })).data
      const charge = charges.find(
        ({ paid, disputed, amount_refunded: refunded }) => paid && !disputed && refunded === 0,
      )
      if (charge === undefined) throw new Error(`${customer} has no payment to refund.`)
      await stripe.refunds.create({
        charge: charge.id,
        amount: partOf(charge.amount, share),
        reason: 'requested_by_customer',
      })
    },

    /** A credit note about a share of the latest paid invoice. */
    async issueCreditNote(
      customer: string,
      share: number,
      goesTo: 'card' | 'balance',
    ): Promise<void> {
      const invoices = (await stripe.invoices.list({ customer, status: 'paid' })).data
      const invoice = invoices.find(({ amount_paid: paid }) => paid > 0)
      if (invoice?.id === undefined) throw new Error(`${customer} has no paid invoice.`)
      const amount = partOf(invoice.amount_paid, share)
      await stripe.creditNotes.create({
        invoice: invoice.id,
        amount,
        reason: 'product_unsatisfactory',
        ...(goesTo === 'card' ? { refund_amount: amount } : { credit_amount: amount }),
      })
    },

    async answerDispute(customer: string, isWon: boolean): Promise<void> {
      const charges = (await stripe.charges.list({ customer })).data
      const charge = charges.find(({ disputed }) => disputed)
      if (charge === undefined) throw new Error(`${customer} has no disputed payment.`)
      const [dispute] = (await stripe.disputes.list({ charge: charge.id })).data
      if (dispute === undefined) throw new Error(`The payment ${charge.id} has no dispute.`)
      await stripe.disputes.update(dispute.id, {
        // The text decides the outcome, as in Stripe's test mode.
        evidence: { uncategorized_text: isWon ? 'winning_evidence' : 'losing_evidence' },
      })
    },
  }
}

/** Minor units, at least 1. */
function partOf(amount: number, share: number): number {
  return Math.max(1, Math.round(amount * share))
}
