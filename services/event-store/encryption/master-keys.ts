import { createSecretKey, type KeyObject } from 'node:crypto'
import { keyFingerprint } from '#services/foundation/key-fingerprint'
import { StartupError } from '#services/foundation/startup-error'
import { OtherMasterKey } from '../errors.ts'
import { decrypt, encrypt } from './aes-gcm.ts'

/** A key that wraps personal keys, with the fingerprint that the rows of its keys have. */
export interface MasterKey {
  readonly fingerprint: string
  readonly key: KeyObject
}

/** MASTER_KEY, and during a change MASTER_KEY_PREVIOUS. */
export interface MasterKeys {
  readonly current: MasterKey
  /** Both keys, or one. */
  readonly all: readonly MasterKey[]
}

/** @throws Error if a key has not 32 bytes */
export function masterKeysOf(masterKey: Buffer, previous: Buffer | null = null): MasterKeys {
  const current = masterKeyOf(masterKey, 'MASTER_KEY')
  return {
    current,
    all: previous === null ? [current] : [current, masterKeyOf(previous, 'MASTER_KEY_PREVIOUS')],
  }
}

function masterKeyOf(key: Buffer, name: string): MasterKey {
  if (key.length !== 32)
    throw new Error(`${name} has ${key.length} bytes; it needs 32. Set another ${name}.`)
  return { fingerprint: keyFingerprint(key), key: createSecretKey(key) }
}

// The first byte of a wrapped key is the version of its format.
const wrapping = 1

/** The form in which app.personal_key stores the key of `subject`. */
export function wrapKey({ key: master }: MasterKey, subject: string, key: Buffer): Buffer {
  return Buffer.concat([Buffer.of(wrapping), encrypt(master, key, subject)])
}

/**
 * The key of `subject` in plain bytes. `wrappedBy` is the fingerprint in its row.
 * @throws OtherMasterKey if no key of `keys` has this fingerprint
 * @throws StartupError if the row was changed
 */
export function unwrapKey(
  keys: MasterKeys,
  subject: string,
  wrapped: Buffer,
  wrappedBy: string,
): Buffer {
  const master = keys.all.find(({ fingerprint }) => fingerprint === wrappedBy)
  if (master === undefined)
    throw new OtherMasterKey(
      `The key of '${subject}' cannot be unwrapped: it was wrapped with another MASTER_KEY, of fingerprint ${wrappedBy}. Set the MASTER_KEY of this fingerprint, or set MASTER_KEY_PREVIOUS to it.`,
    )
  try {
    if (wrapped[0] !== wrapping) throw new Error(`its wrapping has version ${wrapped[0]}`)
    return decrypt(master.key, wrapped.subarray(1), subject)
  } catch (cause) {
    throw Object.assign(
      new StartupError(
        `The key of '${subject}' cannot be unwrapped: its row in app.personal_key was changed. Restore the row from a backup.`,
      ),
      { cause },
    )
  }
}
