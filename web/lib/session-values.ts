import {
  changeStored,
  onStoredChange,
  readStored,
  type StoredChanges,
  type StoredKey,
} from './stored-values.ts'

/** Shown where a page needs a session that has ended. */
export const sessionEndedText = 'Your session has ended. Log in to continue.'

const signedOutCustomer = {
  userEmail: null,
  isVerified: null,
  isCustomer: null,
  businessName: null,
  customerSessionEnded: null,
} as const satisfies StoredChanges

const signedOutAdmin = {
  adminAuthenticated: null,
  adminSessionEnded: null,
} as const satisfies StoredChanges

interface SignedInCustomer {
  readonly email: string
  readonly isVerified: boolean
  readonly isCustomer: boolean
  readonly businessName: string | null
}

/** Stores the values of a customer after a sign-in, and deletes those of the one before. */
export function rememberCustomer(customer: SignedInCustomer): void {
  changeStored({
    ...signedOutCustomer,
    userEmail: customer.email,
    isVerified: String(customer.isVerified),
    isCustomer: String(customer.isCustomer),
    businessName: customer.businessName || null,
  })
}

export function rememberAdmin(): void {
  changeStored({ ...signedOutAdmin, adminAuthenticated: 'true' })
}

/** Deletes the stored values of a customer who signed out, also a profile that is not saved. */
export function forgetCustomer(): void {
  changeStored({ ...signedOutCustomer, profileDraft: null })
}

/** Deletes the stored values of an administrator who signed out. */
export function forgetAdmin(): void {
  changeStored(signedOutAdmin)
}

/**
 * Deletes the stored values after the server refused a call with 401. If there was a signed-in
 * customer or administrator, the tab notes it: the page then offers a login at its own address
 * instead of the redirect of a visitor.
 */
export function endSession(of: 'customer' | 'admin'): void {
  if (of === 'customer' && readStored('userEmail') !== null)
    changeStored({ ...signedOutCustomer, customerSessionEnded: 'true' })
  if (of === 'admin' && readStored('adminAuthenticated') !== null)
    changeStored({ ...signedOutAdmin, adminSessionEnded: 'true' })
}

/**
 * A signal that aborts when the administrator is signed out: by a logout in any tab, or because the
 * session ended. The caller stops waiting for it by `stop`.
 */
export function untilAdminIsSignedOut(): {
  readonly signal: AbortSignal
  readonly stop: () => void
} {
  const controller = new AbortController()
  const stop = onStoredChange(() => {
    if (readStored('adminAuthenticated') === null) controller.abort()
  })
  return { signal: controller.signal, stop }
}

/** The note of this tab by the value that another tab deletes at a logout. */
const noteOf: Readonly<Record<string, StoredKey>> = {
  userEmail: 'customerSessionEnded',
  adminAuthenticated: 'adminSessionEnded',
}

// A logout or a sign-in in another tab. This listener is attached before those of the pages, so
// that the note exists when they read it. The build prerenders pages without a window.
globalThis.window?.addEventListener('storage', ({ key, newValue }) => {
  const note = key === null ? undefined : noteOf[key]
  if (note !== undefined) changeStored({ [note]: newValue === null ? 'true' : null })
})
