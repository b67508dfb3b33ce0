import { useCallback, useEffect, useState } from 'react'
import { useLogin } from '../../lib/login-request.ts'
import { readStored } from '../../lib/stored-values.ts'
import { showToast } from '../../lib/toasts.ts'

/** The store, the validators and the checkout call: fetched when somebody is about to subscribe. */
const loadCheckout = () => import('../../api/start-checkout.ts')

export interface Subscribe {
  /** The plan that is being bought, or null. */
  readonly loadingPlan: string | null
  subscribe(planId: string): void
  /** Fetches the code early: the pointer or the focus is on the button. */
  prepare(): void
}

/**
 * The way from Subscribe Now to the provider's checkout. Without a stored e-mail the login comes
 * first, and the purchase of the remembered plan then goes on by itself.
 */
export function useSubscribe(): Subscribe {
  const login = useLogin()
  const [loadingPlan, setLoadingPlan] = useState<string | null>(null)

  useEffect(() => {
    // Back from the checkout: the browser shows this page as it was left, with the plan still loading.
    const release = (event: PageTransitionEvent) => {
      if (event.persisted) setLoadingPlan(null)
    }
    window.addEventListener('pageshow', release)
    return () => window.removeEventListener('pageshow', release)
  }, [])

  const subscribe = useCallback(
    (planId: string) => {
      const logInFirst = () =>
        login.open({
          onSignedIn: (email) => void buy(email, stillSignedOut),
          onGivenUp: () => setLoadingPlan(null),
        })

      // Straight after a login: cookies are refused, so another login would end here again.
      const stillSignedOut = () => {
        setLoadingPlan(null)
        showToast('error', 'You need to be logged in')
      }

      const buy = async (email: string, onSignedOut: () => void) => {
        try {
          const { startCheckout } = await loadCheckout()
          const outcome = await startCheckout(planId, email)
          if (outcome === 'signed-out') onSignedOut()
          // On its way to the checkout the button stays as it is: a second press would open a second one.
          else if (outcome !== 'leaving') setLoadingPlan(null)
        } catch {
          setLoadingPlan(null)
          showToast('error', 'Failed to initiate payment. Please try again.')
        }
      }

      setLoadingPlan(planId)
      const email = readStored('userEmail')
      if (email === null) logInFirst()
      else void buy(email, logInFirst)
    },
    [login],
  )

  const prepare = useCallback(() => {
    if (readStored('userEmail') === null) login.prepare()
    loadCheckout().catch(() => undefined)
  }, [login])

  return { loadingPlan, subscribe, prepare }
}
