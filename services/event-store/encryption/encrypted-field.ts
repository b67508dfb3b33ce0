import type { KeyObject } from 'node:crypto'
import type { JsonObject, JsonValue } from '../event-store.ts'
import { isJsonArray } from '../is-json-array.ts'
import { decrypt, encrypt } from './aes-gcm.ts'

/**
 * How a personal value is stored: an object with this one member. No contract has such a member,
 * so nothing that a customer types can pass for ciphertext, as it could if this were a string.
 */
const tag = '$personal'
const version = 'v1:'

export interface EncryptedField {
  readonly [tag]: string
}

/** Bound to its event and place: ciphertext that is moved to another event or field does not open. */
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

/** @throws Error when it was changed, moved, or sealed with another key. */
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

/** `data` with every sealed field replaced, at any depth: a copy where there is one, else `data` itself. */
export function replaceEncrypted(
  data: JsonObject,
  replace: (field: EncryptedField, path: string) => JsonValue,
): JsonObject {
  return replaceMembers(data, '', replace)
}

type Replace = (field: EncryptedField, path: string) => JsonValue

/** Most objects of a log have no sealed field: they are passed on, not copied. */
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
