const tickMs = 1_000
/** A busy page delays a tick, but not for so long. */
const sleptMs = 5_000

/**
 * Calls `act` when this tab is visible and may have missed changes: after the sleep of a laptop,
 * when the network returns, and when the tab is shown. While a laptop sleeps, timers stop and the
 * clock continues, so a late tick shows the sleep. Returns the function that ends this.
 */
export function onWakeUp(act: () => void): () => void {
  let tickedAt = Date.now()

  const wake = () => {
    if (document.visibilityState === 'visible') act()
  }
  const ticks = setInterval(() => {
    const sinceMs = Date.now() - tickedAt
    tickedAt = Date.now()
    if (sinceMs > sleptMs) wake()
  }, tickMs)
  window.addEventListener('online', wake)
  document.addEventListener('visibilitychange', wake)

  return () => {
    clearInterval(ticks)
    window.removeEventListener('online', wake)
    document.removeEventListener('visibilitychange', wake)
  }
}
