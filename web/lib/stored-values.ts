import { useSyncExternalStore } from 'react'

/**
 * The values that the browser keeps between visits. They only control the display; the server
 * identifies the caller by the session cookie.
 */
export type StoredKey =
  | 'userEmail'
  | 'isVerified'
  | 'isCustomer'
  | 'businessName'
  | 'adminAuthenticated'

const customerKeys: readonly StoredKey[] = ['userEmail', 'isVerified', 'isCustomer', 'businessName']

const listeners = new Set<() => void>()

function notify(): void {
  for (const listener of listeners) listener()
}

/**
 * The stored text, or null. Also null if the browser blocks storage, as in some private windows.
 */
export function readStored(key: StoredKey): string | null {
  try {
    return window.localStorage.getItem(key)
  } catch {
    return null
  }
}

/** If storage is blocked, the next page load loses the value, and the visitor signs in again. */
export function writeStored(key: StoredKey, value: string): void {
  try {
    window.localStorage.setItem(key, value)
  } catch {
    // Storage is blocked or full. The current page does not depend on the stored value.
  }
  notify()
}

function removeStored(...keys: readonly StoredKey[]): void {
  try {
    for (const key of keys) window.localStorage.removeItem(key)
  } catch {
    // Storage is blocked, so there is no stored value.
  }
  notify()
}

/** Deletes the stored values of a customer who signed out or whose session ended. */
export function forgetCustomer(): void {
  removeStored(...customerKeys)
}

/** Deletes the stored values of an administrator who signed out or whose session ended. */
export function forgetAdmin(): void {
  removeStored('adminAuthenticated')
}

export interface SignedInCustomer {
  readonly email: string
  readonly isVerified: boolean
  readonly isCustomer: boolean
  readonly businessName: string | null
}

/** Stores the values of a customer after a successful code check. */
export function rememberCustomer({
  email,
  isVerified,
  isCustomer,
  businessName,
}: SignedInCustomer): void {
  writeStored('userEmail', email)
  writeStored('isVerified', String(isVerified))
  writeStored('isCustomer', String(isCustomer))
  if (businessName) writeStored('businessName', businessName)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  // Another tab signed in or out.
  window.addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('storage', listener)
  }
}

/** The stored text. The hook follows changes in this tab and in other tabs. */
export function useStored(key: StoredKey): string | null {
  return useSyncExternalStore(subscribe, () => readStored(key))
}
