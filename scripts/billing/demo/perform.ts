import { sandboxPriceIdOf } from '#contracts/plans'
import type { Deed } from './action.ts'
import type { Dashboard } from './dashboard.ts'
import type { Visitor } from './visitor.ts'

/** A customer during the demo. */
export interface Customer {
  readonly visitor: Visitor
  /** The id at the provider, from the first payment on. */
  stripeCustomerId: string | null
}

/** Performs what a customer, or the operator for this customer, does. Rejects if it fails. */
export async function perform(
  deed: Deed,
  customer: Customer,
  dashboard: Dashboard,
): Promise<unknown> {
  const { visitor } = customer
  const atProvider = () => {
    if (customer.stripeCustomerId === null) throw new Error(`${visitor.email} has not paid yet.`)
    return customer.stripeCustomerId
  }
  switch (deed.kind) {
    case 'enter-address':
      return visitor.enterAddress()
    case 'sign-up':
      return visitor.signUp(deed.verifies)
    case 'abandon-checkout':
      return visitor.createCheckout()
    case 'pay': {
      const sessionId = await visitor.pay(deed.card, deed.isDeclinedFirst)
      customer.stripeCustomerId = await dashboard.customerOf(sessionId)
      return
    }
    case 'change-card':
      return visitor.changeCard(deed.card)
    case 'upgrade':
      return dashboard.changePrice(atProvider(), sandboxPriceIdOf(deed.to), deed.daysPaid)
    case 'downgrade':
      return visitor.schedulePlan(sandboxPriceIdOf(deed.to))
    case 'keep-plan':
      return visitor.keepPlan()
    case 'cancel':
      return visitor.cancel()
    case 'withdraw-cancellation':
      return visitor.withdrawCancellation()
    case 'pause':
      return dashboard.pause(atProvider())
    case 'resume':
      return dashboard.resume(atProvider())
    case 'refund':
      return dashboard.refund(atProvider(), deed.share)
    case 'credit-note':
      return dashboard.issueCreditNote(atProvider(), deed.share, deed.goesTo)
    case 'answer-dispute':
      return dashboard.answerDispute(atProvider(), deed.isWon)
  }
}
