import { useState } from 'react'
import { portalReturnPath, type PortalAction } from '#contracts/checkout'
import { browser } from '../lib/browser.ts'
import { isApiError, needsProfile } from '../lib/http.ts'
import { useLogin } from '../lib/login-request.ts'
import { notePortalVisit } from '../lib/portal-visit.ts'
import { readStored } from '../lib/stored-values.ts'
import { showToast } from '../lib/toasts.ts'
import { useCreatePortalSessionMutation } from './purchases-api.ts'

/**
 * The payment provider's portal page for one subscription. `open` navigates to the portal or shows
 * the error in a toast; with a plan, to the confirmation of the change to the plan. `opening` is
 * the action in progress, or the plan.
 */
export function usePortal(subscriptionId: string): {
  open: (action: PortalAction, planId?: string) => Promise<void>
  opening: string | null
} {
  const [createPortalSession] = useCreatePortalSessionMutation()
  const login = useLogin()
  const [opening, setOpening] = useState<string | null>(null)

  async function open(action: PortalAction, planId?: string): Promise<void> {
    const email = readStored('userEmail')
    if (email === null) {
      showToast('error', 'You need to be logged in')
      return
    }
    setOpening(planId ?? action)
    const result = await createPortalSession({
      email,
      returnUrl: portalReturnPath,
      subscriptionId,
      action,
      ...(planId === undefined ? {} : { planId }),
    })
    setOpening(null)
    if (needsProfile(result.error)) {
      login.open({ profileOf: email, onSignedIn: () => void open(action, planId) })
      return
    }
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
