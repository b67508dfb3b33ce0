import { useSyncExternalStore } from 'react'

/**
 * What the browser remembers between visits. These values only decide what is shown; the server
 * decides who is asking by its session cookie.
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

/** The stored text, or null: also when the browser blocks storage, as some do in private windows. */
export function readStored(key: StoredKey): string | null {
  try {
    return window.localStorage.getItem(key)
  } catch {
    return null
  }
}

/** Where storage is blocked the value is lost at the next page load, and the visitor signs in again. */
export function writeStored(key: StoredKey, value: string): void {
  try {
    window.localStorage.setItem(key, value)
  } catch {
    // Blocked or full: nothing that the page shows now depends on it.
  }
  notify()
}

export function removeStored(...keys: readonly StoredKey[]): void {
  try {
    for (const key of keys) window.localStorage.removeItem(key)
  } catch {
    // Blocked: then nothing was stored either.
  }
  notify()
}

/** A customer signed out, or their session ended. */
export function forgetCustomer(): void {
  removeStored(...customerKeys)
}

/** An administrator signed out, or their session ended. */
export function forgetAdmin(): void {
  removeStored('adminAuthenticated')
}

export interface SignedInCustomer {
  readonly email: string
  readonly isVerified: boolean
  readonly isCustomer: boolean
  readonly businessName: string | null
}

/** A code check succeeded. */
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

/** The stored text, kept up to date in this tab and across tabs. */
export function useStored(key: StoredKey): string | null {
  return useSyncExternalStore(subscribe, () => readStored(key))
}
