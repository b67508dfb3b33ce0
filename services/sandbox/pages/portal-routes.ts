import { Router, urlencoded, type Request, type Response } from 'express'
import { scheduleCancellation, withdrawCancellation } from '../billing/cancel-subscription.ts'
import { changeCard } from '../billing/change-card.ts'
import { DamagedStore } from '../store/damaged-store.ts'
import type { Store } from '../store/store.ts'
import { idOrNull, type PortalSession, type Subscription } from '../store/stripe-objects.ts'
import type { Transaction, ReadTransaction } from '../store/transaction.ts'
import { saveChange } from '../billing/save-change.ts'
import { checkForm, emptyForm, readForm } from './card-form.ts'
import { renderNotice } from './notice-page.tsx'
import { sendPage } from './page-headers.ts'
import { renderCancellation, renderCardChange } from './portal-forms.tsx'
import type { PortalAccount } from './portal-frame.tsx'
import { renderPortal } from './portal-page.tsx'

type PageRequest = Request<{ id: string }>
type Answer = () => void

/** A portal link is valid for this time. */
const openForSeconds = 30 * 60

interface Visit {
  readonly session: PortalSession
  readonly account: PortalAccount
}

/**
 * The billing portal: show the plan, cancel it at the period's end, withdraw the cancellation,
 * change the card.
 */
export function portalRoutes(store: Store, productUrl: string): Router {
  const router = Router()
  const form = urlencoded({ extended: false, limit: '64kb' })

  const showPage = (
    path: string,
    show: (visit: Visit) => { readonly html: string; readonly status?: number },
  ) =>
    router.get(path, async (request: PageRequest, response) => {
      const visit = await store.read((tx) => visitOf(tx, request.params.id, productUrl))
      if (visit === null) return sendGone(response, productUrl)
      const { html, status } = show(visit)
      sendPage(response, status ?? 200, html, formTargets(visit))
    })

  const change = (
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
    })

  showPage('/portal/:id', (visit) => ({ html: firstPage(visit) }))
  showPage('/portal/:id/cancel', ({ account }) => ({
    html: hasNotEnded(account.subscription)
      ? renderCancellation(account, account.subscription)
      : renderPortal(account),
  }))
  showPage('/portal/:id/card', ({ account }) => ({
    html: renderCardChange(account, {
      form: emptyForm(account.customer.email ?? ''),
      errors: {},
      decline: null,
    }),
  }))

  change('/portal/:id/cancel', async (tx, visit, _request, response) => {
    const { subscription } = visit.account
    if (hasNotEnded(subscription))
      await saveChange(tx, subscription, scheduleCancellation(subscription, null, tx.now))
    return () => response.redirect(303, afterwards(visit, 'subscription_cancel'))
  })

  change('/portal/:id/keep', async (tx, visit, _request, response) => {
    const { subscription } = visit.account
    if (hasNotEnded(subscription))
      await saveChange(tx, subscription, withdrawCancellation(subscription))
    return () => response.redirect(303, homeOf(visit))
  })

  change('/portal/:id/card', async (tx, visit, request, response) => {
    const { account } = visit
    const typed = readForm(request.body)
    const checked = checkForm(typed, tx.now)
    const again =
      (status: number, wrong: { readonly errors?: object; readonly decline?: string }): Answer =>
      () =>
        sendPage(
          response,
          status,
          renderCardChange(account, {
            form: typed,
            errors: wrong.errors ?? {},
            decline: wrong.decline ?? null,
          }),
          formTargets(visit),
        )
    if ('errors' in checked) return again(422, { errors: checked.errors })
    const decline = await changeCard(
      tx,
      account.customer,
      hasNotEnded(account.subscription) ? account.subscription : null,
      checked.card,
    )
    return decline === null
      ? () => response.redirect(303, afterwards(visit, 'payment_method_update'))
      : again(402, { decline: decline.message })
  })

  return router
}

/**
 * The page of the link's flow if the flow applies, else the plan. The sandbox cannot change plans,
 * so a link for a plan change shows the plan.
 */
function firstPage({ session, account }: Visit): string {
  const { subscription } = account
  if (
    session.flow?.type === 'subscription_cancel' &&
    hasNotEnded(subscription) &&
    subscription.cancel_at === null
  )
    return renderCancellation(account, subscription)
  if (session.flow?.type === 'payment_method_update')
    return renderCardChange(account, {
      form: emptyForm(account.customer.email ?? ''),
      errors: {},
      decline: null,
    })
  return renderPortal(account)
}

/**
 * The redirect after a completed flow: the return URL if the link was created for this flow, else
 * the plan.
 */
function afterwards(visit: Visit, flow: string): string {
  const { session } = visit
  if (session.flow?.type !== flow) return homeOf(visit)
  const { redirect } = session.flow.after_completion
  return redirect?.return_url ?? session.return_url ?? homeOf(visit)
}

function homeOf({ session }: Visit): string {
  return `/portal/${session.id}`
}

function formTargets({ session }: Visit): readonly (string | null)[] {
  return [session.return_url, session.flow?.after_completion.redirect?.return_url ?? null]
}

async function visitOf(tx: ReadTransaction, id: string, productUrl: string): Promise<Visit | null> {
  const session = await tx.find('billing_portal.session', id)
  if (!session || session.created + openForSeconds < tx.now) return null
  const customer = await tx.find('customer', session.customer)
  if (!customer) throw new DamagedStore(`The customer of the portal session ${id} does not exist.`)
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
      now: tx.now,
      customer,
      subscription,
      method: methodId === null ? null : await tx.find('payment_method', methodId),
      invoices: await tx.list('invoice', { where, limit: 24 }),
    },
  }
}

/** The subscription that the link names, else the newest live subscription, else the newest. */
async function shownSubscription(
  tx: ReadTransaction,
  session: PortalSession,
): Promise<Subscription | null> {
  const named = session.flow?.subscription_cancel?.subscription
  if (named !== undefined) return tx.find('subscription', named)
  const all = await tx.list('subscription', {
    where: [{ path: ['customer'], isOneOf: [session.customer] }],
  })
  return all.find(hasNotEnded) ?? all[0] ?? null
}

function hasNotEnded(subscription: Subscription | null): subscription is Subscription {
  return subscription !== null && subscription.ended_at === null
}

function sendGone(response: Response, productUrl: string): void {
  const html = renderNotice({
    title: 'This link is no longer valid',
    text: 'Links to the billing portal work for 30 minutes. Open it again from the product.',
    href: productUrl,
  })
  sendPage(response, 404, html)
}
