import type { KeyObject } from 'node:crypto'
import type { JsonObject, JsonValue } from '../event-store.ts'
import { decrypt, encrypt } from './aes-gcm.ts'

/**
 * A personal value is stored as an object with this one member. No contract has such a member, so
 * no text that a customer types can look like ciphertext. A plain string could.
 */
const tag = '$personal'
const version = 'v1:'

export interface EncryptedField {
  readonly [tag]: string
}

/** Binds the ciphertext to its event and field: in another event or field its decryption fails. */
export function encryptField(
  key: KeyObject,
  eventId: string,
  path: string,
  value: unknown,
): EncryptedField {
  return {
    [tag]:
      version +
      encrypt(key, Buffer.from(JSON.stringify(value)), `${eventId} ${path}`).toString('base64'),
  }
}

/** @throws Error if the field was changed or moved, or was encrypted with another key */
export function decryptField(
  key: KeyObject,
  eventId: string,
  path: string,
  field: EncryptedField,
): JsonValue {
  const ciphertext = field[tag]
  if (!ciphertext.startsWith(version))
    throw new Error(
      `its ciphertext has the format '${ciphertext.slice(0, ciphertext.indexOf(':') + 1)}', which this release does not know`,
    )
  return JSON.parse(
    decrypt(
      key,
      Buffer.from(ciphertext.slice(version.length), 'base64'),
      `${eventId} ${path}`,
    ).toString(),
  ) as JsonValue
}

/**
 * Replaces every encrypted field at any depth. Returns a copy, or `data` itself if it has no
 * encrypted field.
 */
export function replaceEncrypted(
  data: JsonObject,
  replace: (field: EncryptedField, path: string) => JsonValue,
): JsonObject {
  return replaceMembers(data, '', replace)
}

type Replace = (field: EncryptedField, path: string) => JsonValue

/** Copies an object only if it has an encrypted field: most objects of a log have none. */
function replaceMembers(object: JsonObject, prefix: string, replace: Replace): JsonObject {
  let copy: Record<string, JsonValue | undefined> | undefined
  for (const key in object) {
    const member = object[key]
    if (typeof member !== 'object' || member === null) continue
    const replaced = replaceWithin(member, prefix + key, replace)
    if (replaced !== member) (copy ??= { ...object })[key] = replaced
  }
  return copy ?? object
}

function replaceWithin(value: JsonValue, path: string, replace: Replace): JsonValue {
  if (value === null || typeof value !== 'object') return value
  if (isEncrypted(value)) return replace(value, path)
  if (isJsonArray(value))
    return value.map((item, index) => replaceWithin(item, `${path}.${index}`, replace))
  return replaceMembers(value, `${path}.`, replace)
}

function isEncrypted(value: object): value is EncryptedField {
  return tag in value && typeof value[tag] === 'string'
}

/** Array.isArray, with a type guard for read-only arrays. */
function isJsonArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value)
}
