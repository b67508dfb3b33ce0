import type { AddressHmac } from '#contracts/ids'
import { addressHmac } from './address-hmac.ts'

/**
 * Which EMAIL_HMAC_KEY names the streams of addresses. `changing`: a rotation moves the claims from
 * the streams of one key to those of the next (docs/decisions/0035-rotation-of-keys.md).
 */
export type EmailKeyState =
  | { readonly kind: 'settled'; readonly inUse: Buffer }
  | { readonly kind: 'changing'; readonly from: Buffer; readonly to: Buffer }

/** The keys of a process, and what it knows about the key in use. */
export interface EmailKeys {
  /** Every key that is set: one, or two during a change. */
  readonly known: readonly Buffer[]
  /** @throws StartupError if a key that is not set is in use */
  state(): EmailKeyState
  /** Reads now which key is in use. Called if a stream shows that the state is out of date. */
  refresh(): Promise<void>
  /**
   * Runs work that claims an address and then uses it, or that stores an HMAC. A rotation that
   * begins meanwhile waits for the work before it looks for the addresses.
   */
  hold<T>(work: () => Promise<T>): Promise<T>
}

/** For a rotation, which decides the state itself. */
export function fixedEmailKeys(state: EmailKeyState): EmailKeys {
  return {
    known: state.kind === 'settled' ? [state.inUse] : [state.to, state.from],
    state: () => state,
    refresh: () => Promise.resolve(),
    hold: (work) => work(),
  }
}

/** The HMAC under the key in use. During a rotation, this is the new key. */
export function hmacInUse(keys: EmailKeys, email: string): AddressHmac {
  const state = keys.state()
  return addressHmac(email, state.kind === 'settled' ? state.inUse : state.to)
}

/** The HMACs under every key that is set. Stored HMACs can be of each of them. */
export function hmacsOf(keys: EmailKeys, email: string): readonly AddressHmac[] {
  return keys.known.map((key) => addressHmac(email, key))
}
