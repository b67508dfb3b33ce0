import type Stripe from 'stripe'
import { inParallel } from '#services/foundation/in-parallel'
import { errorMessage } from '#services/foundation/error-message'
import type { Calendar } from './calendar.ts'
import { createDashboard } from './dashboard.ts'
import { perform, type Customer } from './perform.ts'
import type { PlannedCustomer } from './plan-customer.ts'
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
}

/**
 * Plays the planned lives day by day: sets the sandbox's clock to the day, waits until the product
 * has the day's webhooks and follows the clock, and performs the day's actions. So the facts of one
 * day are recorded before the next day begins.
 */
export async function play({
  stripe,
  calendar,
  customers,
  followClock,
  onDay,
  ...places
}: PlayOptions): Promise<void> {
  const clock = sandboxClock(places.sandboxUrl, places.signal)
  const dashboard = createDashboard(stripe)
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
      .filter(({ actions }) => actions.length > 0)
    if (today.length > 0) {
      await followClock(calendar.timeOf(day))
      await inParallel(atOnce, today, async ({ customer, actions }) => {
        for (const action of actions) {
          places.signal.throwIfAborted()
          await perform(action, customer, dashboard).catch((error: unknown) => {
            if (isUnreachable(error)) throw error
            throw new Error(
              `Day ${day}: '${action.kind}' of ${customer.visitor.email} failed: ${errorMessage(error)}`,
              { cause: error },
            )
          })
        }
      })
      await clock.untilDelivered()
    }
    onDay()
  }
}

/** `fetch` failed: nothing answers at the address. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof TypeError && error.message === 'fetch failed'
}
