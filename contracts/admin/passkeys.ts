import { z } from 'zod'
import { filled } from '../form-text.ts'
import { instant } from '../instant.ts'
import { nameContracts } from '../name-contracts.ts'

/*
 * The messages of WebAuthn (https://www.w3.org/TR/webauthn-3/) between the console and the product,
 * in the JSON of PublicKeyCredential. A field that the product does not read is dropped.
 */

/** Bytes in base64url, without padding. `max` counts characters. */
const base64url = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[\w-]+$/, 'is not base64url.')

/** A credential's id has 1,023 bytes at most. */
const passkeyId = base64url(1_364)

/** How a browser reaches an authenticator. Browsers add further ones. */
export const passkeyTransports = [
  'ble',
  'cable',
  'hybrid',
  'internal',
  'nfc',
  'smart-card',
  'usb',
] as const
const transport = z.enum(passkeyTransports)

const credentialId = z.object({
  id: passkeyId,
  type: z.literal('public-key'),
  transports: z.array(transport).optional(),
})

/** The relying party: the host name of the product, and what the browser shows. */
const passkeySite = z.object({ id: z.string(), name: z.string() })

/** What the browser passes to `navigator.credentials.create`. */
export const passkeyCreationOptions = z.object({
  challenge: z.string(),
  rp: passkeySite,
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.int() })),
  timeout: z.int(),
  excludeCredentials: z.array(credentialId),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
  attestation: z.literal('none'),
})

/** What the browser passes to `navigator.credentials.get`. It names no passkey and no person. */
export const passkeyRequestOptions = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.int(),
  userVerification: z.literal('required'),
})

const credential = {
  id: passkeyId,
  rawId: passkeyId,
  type: z.literal('public-key'),
}
/** An attestation with a certificate chain has a few kilobytes. */
const clientData = base64url(4_000)
const authenticatorBytes = base64url(30_000)

/** The answer of an authenticator that made a passkey. */
export const createdPasskey = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: clientData,
    attestationObject: authenticatorBytes,
    transports: z.array(z.string().max(32)).max(16).optional(),
  }),
})

/** The answer of an authenticator that signs in: the assertion. */
export const passkeyAssertion = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: clientData,
    authenticatorData: authenticatorBytes,
    signature: base64url(4_000),
    /** Whose passkey it is, by the authenticator. A passkey that names no person has none. */
    userHandle: base64url(88).nullish(),
  }),
})

/**
 * Whether the login offers passkeys. `origin`: the address at which they work, such as
 * `https://billing.example.com`.
 */
export const passkeyLoginResponse = z.object({ offered: z.boolean(), origin: z.string() })
export const passkeySignInResponse = z.object({ isAdmin: z.literal(true) })

/** What the person calls the passkey. */
const passkeyLabel = filled('The name', 60)

export const addPasskeyRequest = z.object({ label: passkeyLabel, passkey: createdPasskey })
export const renamePasskeyRequest = z.object({ label: passkeyLabel })
export const passkeyParams = z.object({ passkeyId })
export const administratorParams = z.object({ adminId: z.string().min(1).max(64) })

const listedPasskey = z.object({
  passkeyId: z.string(),
  label: z.string(),
  addedAt: instant,
  /** Null before the first sign-in with it. */
  usedAt: instant.nullable(),
})
export type ListedPasskey = z.infer<typeof listedPasskey>

/**
 * `cannotAdd`: why this person can add no passkey, and what to do. Null if the person can.
 * `origin`: the address at which passkeys work.
 */
export const passkeysResponse = z.object({
  passkeys: z.array(listedPasskey),
  cannotAdd: z.string().nullable(),
  origin: z.string(),
})
export type PasskeysResponse = z.infer<typeof passkeysResponse>

/** `removed`: how many passkeys the person had. */
export const removePasskeysResponse = z.object({ removed: z.int(), message: z.string() })

nameContracts({
  PasskeySite: passkeySite,
  PasskeyCreationOptions: passkeyCreationOptions,
  PasskeyRequestOptions: passkeyRequestOptions,
  PasskeyAssertion: passkeyAssertion,
  PasskeyLoginResponse: passkeyLoginResponse,
  PasskeySignInResponse: passkeySignInResponse,
  AddPasskeyRequest: addPasskeyRequest,
  RenamePasskeyRequest: renamePasskeyRequest,
  Passkey: listedPasskey,
  PasskeysResponse: passkeysResponse,
  RemovePasskeysResponse: removePasskeysResponse,
})
