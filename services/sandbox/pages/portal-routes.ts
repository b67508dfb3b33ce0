import { Router } from 'express'
import { scheduleCancellation, withdrawCancellation } from '../billing/cancel-subscription.ts'
import { changeCard } from '../billing/change-card.ts'
import { withoutSchedule } from '../billing/portal-plan-change.ts'
import { saveChange } from '../billing/save-change.ts'
import type { Store } from '../store/store.ts'
import type { ReadTransaction } from '../store/transaction.ts'
import { today } from './today.ts'
import { checkForm, emptyForm, readForm } from './card-form.ts'
import { sendPage } from './page-headers.ts'
import { renderCancellation, renderCardChange } from './portal-forms.tsx'
import { renderPortal } from './portal-page.tsx'
import { addPlanRoutes, confirmationPage, plansPage } from './portal-plan-routes.ts'
import {
  afterwards,
  formTargets,
  hasNotEnded,
  homeOf,
  portalPages,
  type Answer,
  type Visit,
} from './portal-visit.ts'

/**
 * The billing portal: show the plan, change it, cancel it at the period's end, withdraw the
 * cancellation or a scheduled change, change the card.
 */
export function portalRoutes(store: Store, productUrl: string): Router {
  const router = Router()
  const pages = portalPages(router, store, productUrl)
  const { showPage, change } = pages

  showPage('/portal/:id', async (visit, tx, request) => {
    const news = newsOf(request.query['changed'])
    return {
      html: news === null ? await firstPage(visit, tx) : renderPortal(visit.account, news),
    }
  })
  showPage('/portal/:id/cancel', async ({ account }) => ({
    html:
      hasNotEnded(account.subscription) && canCancel(account)
        ? renderCancellation(account, account.subscription)
        : renderPortal(account),
  }))
  showPage('/portal/:id/card', async ({ account }) => ({ html: cardPage(account) }))
  addPlanRoutes(pages)

  change('/portal/:id/cancel', async (tx, visit, _request, response) => {
    const { subscription } = visit.account
    if (hasNotEnded(subscription) && canCancel(visit.account)) {
      const free = await withoutSchedule(tx, subscription)
      await saveChange(tx, free, scheduleCancellation(free, null, tx.now))
    }
    return () => response.redirect(303, afterwards(visit, ['subscription_cancel']))
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
    const checked = checkForm(typed, { now: tx.now, today: today() })
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
      ? () => response.redirect(303, afterwards(visit, ['payment_method_update']))
      : again(402, { decline: decline.message })
  })

  return router
}

/** The result of a plan change, for the page after it. */
function newsOf(changed: unknown): string | null {
  if (changed === 'plan') return 'Your plan has changed.'
  return changed === 'later' ? 'Your plan change is scheduled.' : null
}

/** The page of the link's flow if the flow applies, else the plan. */
async function firstPage(visit: Visit, tx: ReadTransaction): Promise<string> {
  const { session, account } = visit
  const { subscription } = account
  switch (session.flow?.type) {
    case 'subscription_cancel':
      return hasNotEnded(subscription) && subscription.cancel_at === null && canCancel(account)
        ? renderCancellation(account, subscription)
        : renderPortal(account)
    case 'payment_method_update':
      return cardPage(account)
    case 'subscription_update':
      return plansPage(visit, tx)
    case 'subscription_update_confirm':
      return confirmationPage(visit, tx, null)
    default:
      return renderPortal(account)
  }
}

function canCancel({ configuration }: Visit['account']): boolean {
  return configuration.features.subscription_cancel.enabled
}

function cardPage(account: Visit['account']): string {
  return renderCardChange(account, {
    form: emptyForm(account.customer.email ?? ''),
    errors: {},
    decline: null,
  })
}
