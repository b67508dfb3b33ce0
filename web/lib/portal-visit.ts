/*
 * A note in this tab that the provider's portal was opened. The note finds a customer who comes
 * back by the browser's Back.
 */

const noteKey = 'portalOpened'

/**
 * `since` is the moment of the customer's billing before the visit. Without storage, Back from the
 * portal does not synchronize. The return link does.
 */
export function notePortalVisit(since: number): void {
  try {
    window.sessionStorage.setItem(noteKey, String(since))
  } catch {
    // Storage is blocked or full.
  }
}

/** The moment before the visit, if this tab opened the portal since the last call. */
export function takePortalVisit(): string | null {
  try {
    const note = window.sessionStorage.getItem(noteKey)
    window.sessionStorage.removeItem(noteKey)
    return note
  } catch {
    return null
  }
}
