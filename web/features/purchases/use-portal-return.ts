import { useCallback, useEffect, useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { BillingChange } from '#contracts/billing-change'
import { portalReturn } from '#contracts/checkout'
import { useSyncBillingMutation } from '../../api/subscriptions-api.ts'
import { takePortalVisit } from '../../lib/portal-visit.ts'
import { showToast } from '../../lib/toasts.ts'
import { changeSentence } from './change-sentence.ts'

/**
 * Synchronizes once with the payment provider when the customer comes back from its portal: by the
 * return link, which carries a marker, or by the browser's Back. Removes the marker from the
 * address, so that a reload or a bookmark does not synchronize again. Then a toast says each change
 * since the portal was opened, and the page gets the changes. A failed sync is silent: the page
 * then shows its present data.
 */
export function usePortalReturn(): {
  readonly isSyncing: boolean
  readonly changes: readonly BillingChange[]
} {
  const [syncBilling, { isLoading }] = useSyncBillingMutation()
  const [changes, setChanges] = useState<readonly BillingChange[]>([])
  const [search, setSearch] = useSearchParams()
  const marker = search.get(portalReturn.parameter)

  const sync = useCallback(
    async (since: number | undefined) => {
      const { data } = await syncBilling(since)
      const found = data?.changes ?? []
      if (found.length === 0) return
      setChanges(found)
      for (const change of found) showToast('success', changeSentence(change))
    },
    [syncBilling],
  )

  useEffect(() => {
    const visit = takePortalVisit()
    if (marker !== null) {
      setSearch(
        (before) => {
          before.delete(portalReturn.parameter)
          return before
        },
        { replace: true },
      )
    }
    if (marker !== null || visit !== null) void sync(momentOf(marker) ?? momentOf(visit))
  }, [marker, setSearch, sync])

  // Back may restore the page from the browser's cache without a new start of the page.
  useEffect(() => {
    const onPageShow = ({ persisted }: PageTransitionEvent) => {
      const visit = persisted ? takePortalVisit() : null
      if (visit !== null) void sync(momentOf(visit))
    }
    window.addEventListener('pageshow', onPageShow)
    return () => window.removeEventListener('pageshow', onPageShow)
  }, [sync])

  return { isSyncing: isLoading, changes }
}

/** The moment at which the portal was opened; undefined for another text. */
function momentOf(text: string | null): number | undefined {
  return text !== null && /^\d{1,9}$/.test(text) ? Number(text) : undefined
}
