import { useCallback, useEffect, useState } from 'react'
import { useLogin } from '../../lib/login-request.ts'
import { sessionEndedText } from '../../lib/session-values.ts'
import { readStored } from '../../lib/stored-values.ts'
import { showToast } from '../../lib/toasts.ts'

/** Loads the store, the validators and the checkout call when a visitor is about to subscribe. */
const loadCheckout = () => import('../../api/go-to-checkout.ts')

export interface Subscribe {
  /** The plan whose purchase is in progress, or null. */
  readonly loadingPlan: string | null
  subscribe(planId: string): void
  /** Preloads the code when the button has the pointer or the focus. */
  prepare(): void
}

/**
 * Leads from Subscribe Now to the provider's checkout. Without a stored e-mail the login dialog
 * opens first, and without a company profile its form. Then the purchase of the selected plan
 * continues.
 */
export function useSubscribe(): Subscribe {
  const login = useLogin()
  const [loadingPlan, setLoadingPlan] = useState<string | null>(null)

  useEffect(() => {
    // After Back from the checkout, the browser may restore this page with the plan still loading.
    const release = (event: PageTransitionEvent) => {
      if (event.persisted) setLoadingPlan(null)
    }
    window.addEventListener('pageshow', release)
    return () => window.removeEventListener('pageshow', release)
  }, [])

  const subscribe = useCallback(
    (planId: string) => {
      const logInFirst = (notice?: string) =>
        login.open({
          notice,
          onSignedIn: (email) => void buy(email, stillSignedOut),
          onGivenUp: () => setLoadingPlan(null),
        })

      // A 401 directly after a login means that the browser refuses cookies: another login would
      // fail again.
      const stillSignedOut = () => {
        setLoadingPlan(null)
        showToast('error', 'You need to be logged in')
      }

      const buy = async (email: string, onSignedOut: () => void) => {
        try {
          const { goToCheckout } = await loadCheckout()
          const outcome = await goToCheckout(planId, email)
          if (outcome === 'signed-out') onSignedOut()
          else if (outcome === 'profile-missing')
            login.open({
              profileOf: email,
              onSignedIn: () => void buy(email, onSignedOut),
              onGivenUp: () => setLoadingPlan(null),
            })
          // While the browser navigates to the checkout, the button stays disabled: a second press
          // would start a second checkout.
          else if (outcome !== 'leaving') setLoadingPlan(null)
        } catch {
          setLoadingPlan(null)
          showToast('error', 'Failed to initiate payment. Please try again.')
        }
      }

      setLoadingPlan(planId)
      const email = readStored('userEmail')
      if (email === null) logInFirst()
      else void buy(email, () => logInFirst(sessionEndedText))
    },
    [login],
  )

  const prepare = useCallback(() => {
    if (readStored('userEmail') === null) login.prepare()
    // A click loads it again, and reports a failure.
    loadCheckout().catch(() => undefined)
  }, [login])

  return { loadingPlan, subscribe, prepare }
}
