import { z } from 'zod'
import {
  confirmPlanChange,
  offersOf,
  quoteOf,
  withoutSchedule,
} from '../billing/portal-plan-change.ts'
import type { PricedItem } from '../billing/proration.ts'
import type { ReadTransaction } from '../store/transaction.ts'
import type { Subscription } from '../store/stripe-objects.ts'
import { currentPrice } from '../stripe/current-price.ts'
import { sendPage } from './page-headers.ts'
import { itemOf } from './portal-frame.tsx'
import { canChangePlan, renderPortal } from './portal-page.tsx'
import { renderConfirmation, renderPlans, type Problem } from './portal-plan-pages.tsx'
import {
  afterwards,
  formTargets,
  hasNotEnded,
  homeOf,
  type portalPages,
  type Visit,
} from './portal-visit.ts'

const query = z.object({ price: z.string().catch('') })
const digits = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number)
const confirmation = z.object({
  price: z.string(),
  prorationDate: digits,
  dueNow: digits,
  startsAtPeriodEnd: z.enum(['true', 'false']).transform((value) => value === 'true'),
})

/** Choose a plan, see what it costs and when it starts, confirm; keep the current plan. */
export function addPlanRoutes({ showPage, change }: ReturnType<typeof portalPages>): void {
  showPage('/portal/:id/plan', async (visit, tx) => ({ html: await plansPage(visit, tx) }))
  showPage('/portal/:id/plan/confirm', async (visit, tx, request) => ({
    html: await confirmationPage(visit, tx, query.parse(request.query).price),
  }))

  change('/portal/:id/plan', async (tx, visit, request, response) => {
    const parties = partiesOf(visit)
    const typed = confirmation.safeParse(request.body)
    const wanted =
      parties === null || !typed.success ? null : await wantedItem(visit, tx, typed.data.price)
    if (parties === null || wanted === null || !typed.success)
      return () => response.redirect(303, `${homeOf(visit)}/plan`)
    const confirmed = await confirmPlanChange(tx, parties, wanted, typed.data)
    if (confirmed.outcome === 'changed')
      return () =>
        response.redirect(
          303,
          afterwards(
            visit,
            planFlows,
            typed.data.startsAtPeriodEnd ? '?changed=later' : '?changed=plan',
          ),
        )
    const problem: Problem =
      confirmed.outcome === 'declined'
        ? { kind: 'declined', message: confirmed.decline.message }
        : { kind: 'quote changed' }
    const html = renderConfirmation(visit.account, await quoteOf(tx, parties, wanted), problem)
    return () =>
      sendPage(response, problem.kind === 'declined' ? 402 : 409, html, formTargets(visit))
  })

  change('/portal/:id/keep-plan', async (tx, visit, _request, response) => {
    const { subscription } = visit.account
    if (hasNotEnded(subscription)) await withoutSchedule(tx, subscription)
    return () => response.redirect(303, homeOf(visit))
  })
}

const planFlows = ['subscription_update', 'subscription_update_confirm']

/** The offered plans, or the plan if it cannot change. */
export async function plansPage(visit: Visit, tx: ReadTransaction): Promise<string> {
  const parties = partiesOf(visit)
  return parties === null
    ? renderPortal(visit.account)
    : renderPlans(visit.account, parties.subscription, await offersOf(tx, parties))
}

/** What the change to this price costs; null is the price that the link names. */
export async function confirmationPage(
  visit: Visit,
  tx: ReadTransaction,
  price: string | null,
): Promise<string> {
  const parties = partiesOf(visit)
  if (parties === null) return renderPortal(visit.account)
  const wanted = await wantedItem(visit, tx, price)
  return wanted === null
    ? plansPage(visit, tx)
    : renderConfirmation(visit.account, await quoteOf(tx, parties, wanted), null)
}

function partiesOf({ account }: Visit) {
  const { subscription, customer, configuration } = account
  return canChangePlan(account) && subscription !== null
    ? { subscription, customer, configuration }
    : null
}

/** The item that the link names, or an offered price. Null if it is the current item. */
async function wantedItem(
  visit: Visit,
  tx: ReadTransaction,
  id: string | null,
): Promise<PricedItem | null> {
  const parties = partiesOf(visit)
  if (parties === null) return null
  const named = await namedItem(visit, tx)
  const wanted =
    id === null || id === named?.price.id
      ? named
      : ((await offersOf(tx, parties)).find(({ price }) => price.id === id) ?? null)
  return wanted === null || isCurrent(wanted, parties.subscription)
    ? null
    : { price: wanted.price, quantity: wanted.quantity }
}

async function namedItem({ session }: Visit, tx: ReadTransaction): Promise<PricedItem | null> {
  const [item] = session.flow?.subscription_update_confirm?.items ?? []
  const price = item ? await currentPrice(tx, item.price ?? '') : null
  return price === null ? null : { price, quantity: item?.quantity ?? 1 }
}

function isCurrent(wanted: PricedItem, subscription: Subscription): boolean {
  const { price, quantity = 1 } = itemOf(subscription)
  return wanted.price.id === price.id && wanted.quantity === quantity
}
