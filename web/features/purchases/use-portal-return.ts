import { useEffect } from 'react'
import { useSearchParams } from 'react-router-dom'
import { useSyncBillingMutation } from '../../api/subscriptions-api.ts'
import { portalReturn, takePortalVisit } from '../../lib/portal-visit.ts'

/**
 * Synchronizes once with the payment provider when the customer comes back from its portal: by the
 * return link, which carries a marker, or by the browser's Back. Removes the marker from the
 * address, so that a reload or a bookmark does not synchronize again. A failed sync is silent: the
 * page then shows its present data. Returns whether the sync is in progress.
 */
export function usePortalReturn(): boolean {
  const [syncBilling, { isLoading }] = useSyncBillingMutation()
  const [search, setSearch] = useSearchParams()
  const hasMarker = search.get(portalReturn.parameter) === portalReturn.value

  useEffect(() => {
    const isBack = takePortalVisit()
    if (hasMarker) {
      setSearch(
        (before) => {
          before.delete(portalReturn.parameter)
          return before
        },
        { replace: true },
      )
    }
    if (hasMarker || isBack) void syncBilling()
  }, [hasMarker, setSearch, syncBilling])

  // Back may restore the page from the browser's cache without a new start of the page.
  useEffect(() => {
    const onPageShow = ({ persisted }: PageTransitionEvent) => {
      if (persisted && takePortalVisit()) void syncBilling()
    }
    window.addEventListener('pageshow', onPageShow)
    return () => window.removeEventListener('pageshow', onPageShow)
  }, [syncBilling])

  return isLoading
}
