/**
 * The marker in the address to which the provider's portal returns, and a note in this tab that
 * the portal was opened. The note finds a customer who comes back by the browser's Back.
 */
export const portalReturn = { parameter: 'portal', value: 'return' } as const

/** The return address of the portal: /purchases with the marker. */
export const portalReturnPath = `/purchases?${portalReturn.parameter}=${portalReturn.value}`

const noteKey = 'portalOpened'

/** Without storage, Back from the portal does not synchronize. The return link does. */
export function notePortalVisit(): void {
  try {
    window.sessionStorage.setItem(noteKey, 'true')
  } catch {
    // Storage is blocked or full.
  }
}

/** Whether this tab opened the portal since the last call. */
export function takePortalVisit(): boolean {
  try {
    const isNoted = window.sessionStorage.getItem(noteKey) !== null
    window.sessionStorage.removeItem(noteKey)
    return isNoted
  } catch {
    return false
  }
}
