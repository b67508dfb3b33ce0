import { setTimeout as sleep } from 'node:timers/promises'
import type Stripe from 'stripe'
import { z } from 'zod'
import { instant } from '#contracts/instant'
import { inParallel } from '#services/foundation/in-parallel'
import { errorMessage } from '#services/foundation/error-message'
import type { Calendar } from './calendar.ts'
import { createDashboard } from './dashboard.ts'
import { perform, type Customer } from './perform.ts'
import type { PlannedCustomer } from './plan-customer.ts'
import { sandboxClock } from './sandbox-clock.ts'
import { createVisitor, networkAddress, type Places } from './visitor.ts'

const sessionAnswer = z.object({ now: instant })

/** Customers who act at the same time. */
const atOnce = 6

export interface PlayOptions extends Places {
  readonly stripe: Stripe
  readonly calendar: Calendar
  readonly customers: readonly PlannedCustomer[]
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
      await untilProductFollows(places, calendar.timeOf(day))
      await inParallel(atOnce, today, async ({ customer, actions }) => {
        for (const action of actions) {
          places.signal.throwIfAborted()
          await perform(action, customer, dashboard).catch((error: unknown) => {
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

/** The business clock reads the sandbox's clock twice per second. */
async function untilProductFollows({ productUrl, signal }: Places, time: Date): Promise<void> {
  for (;;) {
    const response = await fetch(`${productUrl}/api/auth/session`, { signal })
    const { now } = sessionAnswer.parse(await response.json())
    if (Date.parse(now) >= time.getTime()) return
    await sleep(20, undefined, { signal })
  }
}
