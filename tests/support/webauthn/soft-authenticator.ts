import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

interface SoftPasskey {
  readonly id: Buffer
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
  /** The id of the person, in base64url. */
  userHandle: string
  counter: number
}

interface Ceremony {
  readonly origin: string
  readonly rpId: string
  readonly challenge: string
}

/** What an authenticator does otherwise than it should. */
export interface Wrong {
  readonly origin?: string
  readonly rpId?: string
  readonly challenge?: string
  readonly userHandle?: string
  readonly isVerified?: boolean
  /** Signs with the key of this one. */
  readonly signer?: SoftPasskey
}

const present = 0x01
const verified = 0x04
const attested = 0x40

export function newPasskey(userHandle: string, counter = 0): SoftPasskey {
  return {
    id: randomBytes(16),
    ...generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    userHandle,
    counter,
  }
}

/** The public key in COSE, for ES256. */
export function publicKeyOf({ publicKey }: SoftPasskey): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  return Buffer.from(
    isoCBOR.encode(
      new Map<number, number | Uint8Array<ArrayBuffer>>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
        [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
      ]),
    ),
  )
}

/** The answer of an authenticator that made the passkey, without an attestation. */
export function created(passkey: SoftPasskey, ceremony: Ceremony, wrong: Wrong = {}) {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(passkey.id.length)
  const authData = Buffer.concat([
    authenticatorData(passkey, ceremony, attested, wrong),
    Buffer.alloc(16),
    length,
    passkey.id,
    publicKeyOf(passkey),
  ])
  const attestation = isoCBOR.encode(
    new Map<string, string | Map<string, never> | Uint8Array<ArrayBuffer>>([
      ['fmt', 'none'],
      ['attStmt', new Map<string, never>()],
      ['authData', new Uint8Array(authData)],
    ]),
  )
  return {
    ...named(passkey),
    response: {
      clientDataJSON: clientData('webauthn.create', ceremony, wrong).toString('base64url'),
      attestationObject: Buffer.from(attestation).toString('base64url'),
      transports: ['internal', 'of the future'],
    },
    clientExtensionResults: {},
  }
}

/** The answer of an authenticator that signs in. */
export function asserted(passkey: SoftPasskey, ceremony: Ceremony, wrong: Wrong = {}) {
  const data = clientData('webauthn.get', ceremony, wrong)
  const authData = authenticatorData(passkey, ceremony, 0, wrong)
  const { privateKey } = wrong.signer ?? passkey
  const signature = sign('sha256', Buffer.concat([authData, sha256(data)]), privateKey)
  return {
    ...named(passkey),
    response: {
      clientDataJSON: data.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: signature.toString('base64url'),
      userHandle: wrong.userHandle ?? passkey.userHandle,
    },
    clientExtensionResults: {},
  }
}

function named({ id }: SoftPasskey) {
  const text = id.toString('base64url')
  return { id: text, rawId: text, type: 'public-key' as const }
}

function clientData(type: string, ceremony: Ceremony, wrong: Wrong): Buffer {
  const { origin, challenge } = { ...ceremony, ...wrong }
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
}

function authenticatorData(
  { counter }: SoftPasskey,
  ceremony: Ceremony,
  flags: number,
  wrong: Wrong,
): Buffer {
  const count = Buffer.alloc(4)
  count.writeUInt32BE(counter)
  const isVerified = wrong.isVerified ?? true
  return Buffer.concat([
    sha256(wrong.rpId ?? ceremony.rpId),
    Buffer.from([present | flags | (isVerified ? verified : 0)]),
    count,
  ])
}

function sha256(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest()
}
