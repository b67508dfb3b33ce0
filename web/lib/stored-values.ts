import { useSyncExternalStore } from 'react'

/**
 * The values that the browser keeps between visits. They only control the display; the server
 * identifies the caller by the session cookie. `session-values.ts` and `theme.ts` state what they
 * mean.
 */
export type StoredKey =
  | 'userEmail'
  | 'isVerified'
  | 'isCustomer'
  | 'businessName'
  | 'adminAuthenticated'
  | 'theme'
  | 'profileDraft'
  | 'adminFigures'
  | 'customerSessionEnded'
  | 'adminSessionEnded'

/** The keys that each tab keeps for itself, until it is closed. All tabs share the other keys. */
const tabKeys: readonly StoredKey[] = ['customerSessionEnded', 'adminSessionEnded']

/** New texts by key. Null deletes the value. */
export type StoredChanges = Partial<Readonly<Record<StoredKey, string | null>>>

const listeners = new Set<() => void>()

function storageOf(key: string): Storage {
  return tabKeys.some((tabKey) => tabKey === key) ? window.sessionStorage : window.localStorage
}

/**
 * The stored text, or null. Also null if the browser blocks storage, as in some private windows.
 */
export function readStored(key: StoredKey): string | null {
  try {
    return storageOf(key).getItem(key)
  } catch {
    return null
  }
}

/**
 * Makes several changes, then notifies once, so that no page shows a part of them. If storage is
 * blocked, the next page load loses the values, and the visitor signs in again.
 */
export function changeStored(changes: StoredChanges): void {
  for (const [key, value] of Object.entries(changes)) {
    try {
      if (value === null) storageOf(key).removeItem(key)
      else storageOf(key).setItem(key, value)
    } catch {
      // Storage is blocked or full. The current page does not depend on the stored value.
    }
  }
  for (const listener of listeners) listener()
}

/** Calls the listener after changes in this tab and in other tabs. Returns how to stop it. */
export function onStoredChange(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

/**
 * The stored text. The hook follows changes in this tab and in other tabs. A prerendered page is
 * the page of a visitor without stored values.
 */
export function useStored(key: StoredKey): string | null {
  return useSyncExternalStore(
    onStoredChange,
    () => readStored(key),
    () => null,
  )
}
