import { useEffect } from 'react'
import { paymentScriptMeta } from '#contracts/pages'

/**
 * Loads the payment provider's script for its signals of fraud, after the next paint, on a page
 * that the server gave a key. Without a key nothing is loaded. A script that cannot be loaded
 * changes nothing: the checkout is a page of the provider.
 */
export function usePaymentScript(): void {
  useEffect(() => {
    const meta = document.querySelector<HTMLMetaElement>(`meta[name="${paymentScriptMeta}"]`)
    if (meta === null) return
    const frame = requestAnimationFrame(() => {
      // The frame is painted when the next task runs.
      setTimeout(() => void load(meta.content), 0)
    })
    return () => cancelAnimationFrame(frame)
  }, [])
}

async function load(key: string): Promise<void> {
  try {
    const { loadStripe } = await import('@stripe/stripe-js/pure')
    await loadStripe(key)
  } catch {
    // Blocked by an extension, or no connection.
  }
}
