import type Stripe from 'stripe'
import { inParallel } from '#services/foundation/in-parallel'
import { errorMessage } from '#services/foundation/error-message'
import type { Calendar } from './calendar.ts'
import { createDashboard } from './dashboard.ts'
import { perform, type Customer } from './perform.ts'
import type { PlannedCustomer } from './plan-customer.ts'
import { isRefusal } from './refused-call.ts'
import { sandboxClock } from './sandbox-clock.ts'
import { createVisitor, networkAddress, type Places } from './visitor.ts'

/** Customers who act at the same time. */
const atOnce = 6

export interface PlayOptions extends Places {
  readonly stripe: Stripe
  readonly calendar: Calendar
  readonly customers: readonly PlannedCustomer[]
  /** Resolves when the product's clock has reached this time of the sandbox's clock. */
  readonly followClock: (until: Date) => Promise<void>
  readonly onDay: () => void
  /**
   * Others can use the product meanwhile, and block a customer or end a session. The refusal then
   * ends the story of this customer alone. Null: each refusal is a failure of the demo.
   */
  readonly onRefused: ((reason: string) => void) | null
}

/**
 * Plays the planned lives day by day: sets the sandbox's clock to the day, waits until the product
 * has the day's webhooks and follows the clock, and performs the day's actions. So the facts of one
 * day are recorded before the next day begins. Returns the customers in the order of their plans.
 */
export async function play({
  stripe,
  calendar,
  customers,
  followClock,
  onDay,
  onRefused,
  ...places
}: PlayOptions): Promise<readonly Customer[]> {
  const clock = sandboxClock(places.sandboxUrl, places.signal)
  const dashboard = createDashboard(stripe)
  const ended = new Set<Customer>()
  const playing = customers.map(({ person, actions }, index) => ({
    actions,
    customer: {
      visitor: createVisitor(places, person, networkAddress(index)),
      stripeCustomerId: null,
    } as Customer,
  }))

  for (let day = 0; day < calendar.length; day += 1) {
    await clock.advance(calendar.timeOf(day))
    await clock.untilDelivered()
    const today = playing
      .map(({ actions, customer }) => ({
        customer,
        actions: actions.filter((action) => action.day === day),
      }))
      .filter(({ actions, customer }) => actions.length > 0 && !ended.has(customer))
    if (today.length > 0) {
      await followClock(calendar.timeOf(day))
      await inParallel(atOnce, today, async ({ customer, actions }) => {
        for (const action of actions) {
          places.signal.throwIfAborted()
          try {
            await perform(action, customer, dashboard)
          } catch (error) {
            if (isUnreachable(error)) throw error
            const reason = `Day ${day}: '${action.kind}' of ${customer.visitor.email} failed: ${errorMessage(error)}`
            if (onRefused === null || !isRefusal(error)) throw new Error(reason, { cause: error })
            ended.add(customer)
            onRefused(reason)
            break
          }
        }
      })
      await clock.untilDelivered()
    }
    onDay()
  }
  return playing.map(({ customer }) => customer)
}

/** `fetch` failed: nothing answers at the address. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof TypeError && error.message === 'fetch failed'
}
