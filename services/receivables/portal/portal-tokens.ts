import { createHmac, timingSafeEqual } from 'node:crypto'
import { isClientId, type ClientId } from '#contracts/ids'

/** Bytes of an id, and of the HMAC. */
const half = 16
const hexId = /^client_([0-9a-f]{32})$/

export interface PortalTokens {
  /** The token of a client's links. The same one for all messages of a generation. */
  tokenOf(clientId: ClientId, generation: number): string
  /** What all tokens of a client begin with, of any generation and key. It opens nothing. */
  beginningOf(clientId: ClientId): string
  /** The client that the token names, valid or not. Null for a text that is no token. */
  clientIn(token: string): ClientId | null
  /** In a time that does not depend on the token. */
  isValid(token: string, clientId: ClientId, generation: number): boolean
}

/**
 * The tokens of the client portal: the 16 bytes of the client's id, which is random to strangers,
 * and 16 bytes of an HMAC-SHA-256 of the id and the generation. Nothing is stored: messages repeat
 * the token, and a new generation revokes it.
 * @param keys PORTAL_KEY, which makes the tokens, and those that it replaces
 */
export function createPortalTokens(keys: readonly [Buffer, ...Buffer[]]): PortalTokens {
  const macOf = (key: Buffer, clientId: ClientId, generation: number): Buffer =>
    createHmac('sha256', key)
      .update(JSON.stringify(['client portal', clientId, generation]))
      .digest()
      .subarray(0, half)
  return {
    tokenOf: (clientId, generation) =>
      Buffer.concat([idBytes(clientId), macOf(keys[0], clientId, generation)]).toString(
        'base64url',
      ),
    // The last character has bits of the HMAC, too.
    beginningOf: (clientId) => idBytes(clientId).toString('base64url').slice(0, -1),
    clientIn(token) {
      const bytes = bytesOf(token)
      const id = `client_${bytes?.subarray(0, half).toString('hex') ?? ''}`
      return bytes !== null && isClientId(id) ? id : null
    },
    isValid(token, clientId, generation) {
      const given = bytesOf(token)?.subarray(half) ?? Buffer.alloc(half)
      const matches = keys.map((key) => timingSafeEqual(given, macOf(key, clientId, generation)))
      return matches.includes(true) && bytesOf(token) !== null
    },
  }
}

function idBytes(clientId: ClientId): Buffer {
  const [, hex] = hexId.exec(clientId) ?? []
  if (hex === undefined)
    throw new Error('The id of a client has 32 hexadecimal digits. This is a bug; report it.')
  return Buffer.from(hex, 'hex')
}

/** Only the one spelling of the bytes: the last character has bits that do not count. */
function bytesOf(token: string): Buffer | null {
  if (!/^[\w-]{43}$/.test(token)) return null
  const bytes = Buffer.from(token, 'base64url')
  return bytes.toString('base64url') === token ? bytes : null
}
