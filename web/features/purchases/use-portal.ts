import { useState } from 'react'
import { portalReturnPath, type PortalAction } from '#contracts/checkout'
import { useCreatePortalSessionMutation } from '../../api/purchases-api.ts'
import { browser } from '../../lib/browser.ts'
import { isApiError } from '../../lib/http.ts'
import { notePortalVisit } from '../../lib/portal-visit.ts'
import { readStored } from '../../lib/stored-values.ts'
import { showToast } from '../../lib/toasts.ts'

/**
 * The payment provider's portal page for one subscription. `open` navigates to the portal or shows
 * the error in a toast. `opening` is the action in progress.
 */
export function usePortal(subscriptionId: string): {
  open: (action: PortalAction) => Promise<void>
  opening: PortalAction | null
} {
  const [createPortalSession] = useCreatePortalSessionMutation()
  const [opening, setOpening] = useState<PortalAction | null>(null)

  async function open(action: PortalAction): Promise<void> {
    const email = readStored('userEmail')
    if (email === null) {
      showToast('error', 'You need to be logged in')
      return
    }
    setOpening(action)
    const result = await createPortalSession({
      email,
      returnUrl: portalReturnPath,
      subscriptionId,
      action,
    })
    setOpening(null)
    if (result.error) {
      showToast('error', portalError(result.error))
      return
    }
    notePortalVisit(result.data.since)
    browser.goTo(result.data.url)
  }

  return { open, opening }
}

function portalError(error: unknown): string {
  if (!isApiError(error)) return 'Failed to generate portal URL'
  if (error.status === 401) return 'You need to be logged in'
  if (error.status === 'unreachable') return 'Failed to generate portal URL'
  if (error.status === 'unreadable') return 'No URL returned from server'
  return error.error ?? 'Failed to create portal session'
}
