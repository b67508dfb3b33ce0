import { urlencoded, type Request, type Response, type Router } from 'express'
import { pendingChangeOf } from '../billing/portal-plan-change.ts'
import { DamagedStore } from '../store/damaged-store.ts'
import type { Store } from '../store/store.ts'
import { idOf, idOrNull, type PortalSession, type Subscription } from '../store/stripe-objects.ts'
import type { Transaction, ReadTransaction } from '../store/transaction.ts'
import { configurationById } from '../stripe/resources/default-portal-configuration.ts'
import { renderNotice } from './notice-page.tsx'
import { sendPage } from './page-headers.ts'
import type { PortalAccount } from './portal-frame.tsx'
import { today } from './today.ts'

export type PageRequest = Request<{ id: string }>
export type Answer = () => void

export interface Visit {
  readonly session: PortalSession
  readonly account: PortalAccount
}

interface Page {
  readonly html: string
  readonly status?: number
}

/** A portal link is valid for this time. */
const openForSeconds = 30 * 60

/** Adds the portal's pages and forms to a router. Each loads the account of its link first. */
export function portalPages(router: Router, store: Store, productUrl: string) {
  const form = urlencoded({ extended: false, limit: '64kb' })
  return {
    showPage: (
      path: string,
      show: (visit: Visit, tx: ReadTransaction, request: PageRequest) => Promise<Page>,
    ) =>
      router.get(path, async (request: PageRequest, response) => {
        const answer = await store.read(async (tx): Promise<Answer> => {
          const visit = await visitOf(tx, request.params.id, productUrl)
          if (visit === null) return () => sendGone(response, productUrl)
          const { html, status = 200 } = await show(visit, tx, request)
          return () => sendPage(response, status, html, formTargets(visit))
        })
        answer()
      }),
    change: (
      path: string,
      act: (
        tx: Transaction,
        visit: Visit,
        request: PageRequest,
        response: Response,
      ) => Promise<Answer>,
    ) =>
      router.post(path, form, async (request: PageRequest, response) => {
        const answer = await store.change(async (tx): Promise<Answer> => {
          const visit = await visitOf(tx, request.params.id, productUrl)
          return visit === null
            ? () => sendGone(response, productUrl)
            : act(tx, visit, request, response)
        })
        answer()
      }),
  }
}

/**
 * The redirect after a completed flow: the return URL if the link was created for this flow, else
 * the plan with this query.
 */
export function afterwards(visit: Visit, flows: readonly string[], query = ''): string {
  const { session } = visit
  if (session.flow === null || !flows.includes(session.flow.type)) return `${homeOf(visit)}${query}`
  const { redirect } = session.flow.after_completion
  return redirect?.return_url ?? session.return_url ?? homeOf(visit)
}

export function homeOf({ session }: Visit): string {
  return `/portal/${session.id}`
}

export function formTargets({ session }: Visit): readonly (string | null)[] {
  return [session.return_url, session.flow?.after_completion.redirect?.return_url ?? null]
}

export function hasNotEnded(subscription: Subscription | null): subscription is Subscription {
  return subscription !== null && subscription.ended_at === null
}

async function visitOf(tx: ReadTransaction, id: string, productUrl: string): Promise<Visit | null> {
  const session = await tx.find('billing_portal.session', id)
  if (!session || session.created + openForSeconds < tx.now) return null
  const customer = await tx.find('customer', session.customer)
  if (!customer) throw new DamagedStore(`The customer of the portal session ${id} does not exist.`)
  const configuration = await configurationById(tx, idOf(session.configuration))
  if (!configuration)
    throw new DamagedStore(`The configuration of the portal session ${id} does not exist.`)
  const where = [{ path: ['customer'], isOneOf: [customer.id] }]
  const subscription = await shownSubscription(tx, session)
  const methodId =
    idOrNull(subscription?.default_payment_method) ??
    idOrNull(customer.invoice_settings.default_payment_method)
  const backUrl = session.return_url ?? productUrl
  return {
    session,
    account: {
      portalId: session.id,
      backUrl,
      leaveUrl: session.flow === null ? `/portal/${session.id}` : backUrl,
      namesPlan: session.flow?.type === 'subscription_update_confirm',
      now: tx.now,
      today: today(),
      configuration,
      customer,
      subscription,
      pendingChange: hasNotEnded(subscription) ? await pendingChangeOf(tx, subscription) : null,
      method: methodId === null ? null : await tx.find('payment_method', methodId),
      invoices: await tx.list('invoice', { where, limit: 24 }),
    },
  }
}

/** The subscription that the link names, else the newest live subscription, else the newest. */
async function shownSubscription(
  tx: ReadTransaction,
  { flow, customer }: PortalSession,
): Promise<Subscription | null> {
  const named =
    flow?.subscription_cancel?.subscription ??
    flow?.subscription_update?.subscription ??
    flow?.subscription_update_confirm?.subscription
  if (named !== undefined) return tx.find('subscription', named)
  const all = await tx.list('subscription', {
    where: [{ path: ['customer'], isOneOf: [customer] }],
  })
  return all.find(hasNotEnded) ?? all[0] ?? null
}

function sendGone(response: Response, productUrl: string): void {
  const html = renderNotice({
    title: 'This link is no longer valid',
    text: 'Links to the billing portal work for 30 minutes. Open it again from the product.',
    href: productUrl,
  })
  sendPage(response, 404, html)
}
