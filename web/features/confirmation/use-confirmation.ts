import { useEffect, useState } from 'react'
import type { Payment, Subscription } from '#contracts/purchases'
import { isActive } from '#contracts/subscription-status'
import {
  useGetPaymentsQuery,
  useGetSubscriptionsQuery,
  useSyncBillingMutation,
} from '../../api/confirmation-api.ts'

/** The webhook comes within seconds; after half a minute the e-mail is the faster way to know. */
const lookForMs = 30_000
const lookEveryMs = 2_000

export interface Confirmation {
  readonly payment: Payment | null
  readonly subscription: Subscription | null
  /** The first look-ups are not back yet. */
  readonly loading: boolean
  /** They came back without everything, and we are still looking. */
  readonly waiting: boolean
}

/**
 * What was just bought. The server first compares notes with the payment provider; then both
 * look-ups run together, again and again until both found something or half a minute has gone by.
 * Failures say nothing here: the page has its own text for knowing no details.
 */
export function useConfirmation(email: string | null): Confirmation {
  const [syncBilling, sync] = useSyncBillingMutation()
  const [givenUp, setGivenUp] = useState(false)
  const [complete, setComplete] = useState(false)

  useEffect(() => {
    if (email === null) return
    void syncBilling()
    const timer = setTimeout(() => setGivenUp(true), lookForMs)
    return () => clearTimeout(timer)
  }, [email, syncBilling])

  const synced = sync.isSuccess || sync.isError
  const looking = email !== null && !givenUp && !complete
  const options = { skip: email === null || !synced, pollingInterval: looking ? lookEveryMs : 0 }
  const payments = useGetPaymentsQuery({ email: email ?? '' }, options)
  const subscriptions = useGetSubscriptionsQuery({ email: email ?? '' }, options)
  const payment = payments.currentData?.payments[0] ?? null
  const subscription = subscriptions.currentData?.find(({ status }) => isActive(status)) ?? null

  useEffect(() => setComplete(payment !== null && subscription !== null), [payment, subscription])

  const answered = (query: { isSuccess: boolean; isError: boolean }) =>
    query.isSuccess || query.isError
  const loading = email !== null && !(answered(payments) && answered(subscriptions))
  return { payment, subscription, loading, waiting: looking && !loading }
}
