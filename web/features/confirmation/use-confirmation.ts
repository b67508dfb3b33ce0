import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { Payment, Subscription } from '#contracts/purchases'
import { isActive } from '#contracts/subscription-status'
import {
  useGetCheckoutSessionQuery,
  useGetSubscriptionsQuery,
  useSyncBillingMutation,
} from '../../api/subscriptions-api.ts'
import { useGetPurchasesQuery } from '../../api/purchases-api.ts'
import { isApiError } from '../../lib/http.ts'
import { standingOf, type CheckoutAnswer, type Standing } from './standing.ts'

/**
 * A webhook usually arrives within seconds. After 30 s the page refers the customer to the e-mail.
 */
const pollForMs = 30_000
const pollEveryMs = 2_000

export interface Confirmation {
  readonly standing: Standing
  /** The address names a checkout, so the customer probably comes from it. */
  readonly isFromCheckout: boolean
  readonly payment: Payment | null
  readonly subscription: Subscription | null
  /** The first responses have not arrived. */
  readonly loading: boolean
  /** The first responses lack the payment or the subscription, and the page is still polling. */
  readonly waiting: boolean
}

/**
 * The latest payment that moved money to the product. Refunds, credit notes and free invoices are
 * no such payment. `payments` is sorted newest first.
 */
function latestPayment(payments: readonly Payment[]): Payment | null {
  return payments.find(({ amount_total }) => amount_total > 0) ?? null
}

/**
 * The latest payment, the active subscription and the checkout of the address. The server first
 * syncs with the payment provider. After the sync, also a failed one, the page fetches them,
 * ignoring cached responses. The page polls until it has payment and subscription or 30 s have
 * passed. Errors are silent: the page has a fallback text.
 */
export function useConfirmation(email: string | null): Confirmation {
  const [syncBilling, sync] = useSyncBillingMutation()
  const [search] = useSearchParams()
  const sessionId = search.get('session_id') || null
  const [timedOut, setTimedOut] = useState(false)
  const [complete, setComplete] = useState(false)

  useEffect(() => {
    if (email === null) return
    void syncBilling()
    const timer = setTimeout(() => setTimedOut(true), pollForMs)
    return () => clearTimeout(timer)
  }, [email, syncBilling])

  const synced = sync.isSuccess || sync.isError
  const polling = email !== null && !timedOut && !complete
  const options = {
    skip: email === null || !synced,
    pollingInterval: polling ? pollEveryMs : 0,
    refetchOnMountOrArgChange: true,
  }
  const payments = useGetPurchasesQuery({ email: email ?? '' }, options)
  const subscriptions = useGetSubscriptionsQuery({ email: email ?? '' }, options)
  const checkout = useGetCheckoutSessionQuery(
    { sessionId: sessionId ?? '' },
    { skip: options.skip || sessionId === null, refetchOnMountOrArgChange: true },
  )
  const known = payments.currentData?.payments ?? []
  const payment = latestPayment(known)
  const subscription = subscriptions.currentData?.find(({ status }) => isActive(status)) ?? null

  useEffect(() => {
    // A trial has no payment yet.
    const isPaidOrFree = payment !== null || subscription?.status === 'trialing'
    setComplete(subscription !== null && isPaidOrFree)
  }, [payment, subscription])

  const answered = (query: { isSuccess: boolean; isError: boolean }) =>
    query.isSuccess || query.isError
  const loading =
    email !== null &&
    !(answered(payments) && answered(subscriptions) && (sessionId === null || answered(checkout)))
  const shown = standing()
  // Nothing follows from a checkout without a payment, or from one that is not the customer's.
  const isFinal = ['unpaid', 'inactive', 'not-yours'].includes(shown.kind)
  return {
    standing: shown,
    isFromCheckout: sessionId !== null,
    payment,
    subscription,
    loading,
    waiting: polling && !loading && !isFinal,
  }

  function standing(): Standing {
    if (email === null) return { kind: 'visitor' }
    if (loading) return { kind: 'loading' }
    return standingOf({
      payments: known,
      subscriptions: subscriptions.currentData ?? null,
      checkout: checkoutAnswer(),
    })
  }

  function checkoutAnswer(): CheckoutAnswer {
    if (sessionId === null) return null
    if (checkout.currentData) return checkout.currentData
    const status = isApiError(checkout.error) ? checkout.error.status : null
    // 400: the address is damaged, and names no checkout at all.
    return status === 404 || status === 400 ? 'not-yours' : 'unknown'
  }
}
