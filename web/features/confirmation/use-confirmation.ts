import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { Payment, Subscription } from '#contracts/purchases'
import { isActive } from '#contracts/subscription-status'
import { useGetSubscriptionsQuery, useSyncBillingMutation } from '../../api/subscriptions-api.ts'
import { useGetPurchasesQuery } from '../../api/purchases-api.ts'
import { latestPayment } from '../../lib/latest-payment.ts'

/**
 * A webhook usually arrives within seconds. After 30 s the page refers the customer to the e-mail.
 */
const pollForMs = 30_000
const pollEveryMs = 2_000

export interface Confirmation {
  /**
   * Whether there is a sign of a running purchase: an active plan, or the session's id in the
   * address, with which the hosted checkout redirects. A payment alone can be an earlier plan's.
   */
  readonly isBought: boolean
  readonly payment: Payment | null
  readonly subscription: Subscription | null
  /** The first responses have not arrived. */
  readonly loading: boolean
  /** The first responses lack the payment or the subscription, and the page is still polling. */
  readonly waiting: boolean
}

/**
 * The latest payment and the active subscription. The server first syncs with the payment provider.
 * After the sync, also a failed one, the page fetches both, ignoring cached responses. The page
 * polls until it has both or 30 s have passed. Errors are silent: the page has a fallback text.
 */
export function useConfirmation(email: string | null): Confirmation {
  const [syncBilling, sync] = useSyncBillingMutation()
  const [search] = useSearchParams()
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
  const payment = latestPayment(payments.currentData?.payments ?? [])
  const subscription = subscriptions.currentData?.find(({ status }) => isActive(status)) ?? null

  useEffect(() => {
    // A trial has no payment yet.
    const isPaidOrFree = payment !== null || subscription?.status === 'trialing'
    setComplete(subscription !== null && isPaidOrFree)
  }, [payment, subscription])

  const answered = (query: { isSuccess: boolean; isError: boolean }) =>
    query.isSuccess || query.isError
  const loading = email !== null && !(answered(payments) && answered(subscriptions))
  const isBought = subscription !== null || search.has('session_id')
  return { isBought, payment, subscription, loading, waiting: polling && !loading }
}
