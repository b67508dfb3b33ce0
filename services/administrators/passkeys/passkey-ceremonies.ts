import type { z } from 'zod'
import {
  passkeyTransports,
  type createdPasskey,
  type passkeyAssertion,
  type passkeyCreationOptions,
  type passkeyRequestOptions,
} from '#contracts/admin/passkeys'
import { brand } from '#contracts/brand/brand'
import type { Administrator, Passkey } from '#services/administrators/administrators-state'
import { challengeMs } from './passkey-challenges.ts'

/*
 * The ceremonies of WebAuthn: https://www.w3.org/TR/webauthn-3/. Each passkey is discoverable, so a
 * sign-in names no person, and each ceremony verifies the person, by a PIN or a fingerprint. No
 * attestation: the product does not restrict the makes of authenticators.
 */

/** The site and the challenge of a ceremony. */
interface Ceremony {
  readonly rpId: string
  readonly origin: string
  readonly challenge: string
}

type Verified<Value> =
  | ({ readonly kind: 'verified' } & Value)
  /** `why` is for the log. */
  | { readonly kind: 'refused'; readonly why: string }

/** The first ceremony loads the package: most processes never need it. */
const library = () => import('@simplewebauthn/server')

/** EdDSA, ES256 and RS256, by their numbers in COSE. */
const algorithms = [-8, -7, -257]

export function creationOptions(
  { rpId, challenge }: Omit<Ceremony, 'origin'>,
  { adminId, name, email, passkeys }: Administrator,
): z.infer<typeof passkeyCreationOptions> {
  return {
    challenge,
    rp: { id: rpId, name: brand.name },
    user: { id: userHandleOf(adminId), name: email, displayName: name },
    pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
    timeout: challengeMs,
    excludeCredentials: passkeys.map(({ passkeyId, transports }) => ({
      id: passkeyId,
      type: 'public-key',
      transports: passkeyTransports.filter((each) => transports.includes(each)),
    })),
    authenticatorSelection: {
      residentKey: 'required',
      requireResidentKey: true,
      userVerification: 'required',
    },
    attestation: 'none',
  }
}

export function requestOptions({
  rpId,
  challenge,
}: Omit<Ceremony, 'origin'>): z.infer<typeof passkeyRequestOptions> {
  return { challenge, rpId, timeout: challengeMs, userVerification: 'required' }
}

/** Whether the browser made the passkey here, for the challenge, with the person verified. */
export async function verifyCreated(
  { rpId, origin, challenge }: Ceremony,
  { id, rawId, type, response }: z.infer<typeof createdPasskey>,
): Promise<Verified<{ readonly passkey: Omit<Passkey, 'label'> }>> {
  const { verifyRegistrationResponse } = await library()
  const transports = passkeyTransports.filter((each) => response.transports?.includes(each))
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: { id, rawId, type, response: { ...response, transports }, ...noExtensions },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    })
    if (!verified) return { kind: 'refused', why: 'The attestation is not valid.' }
    const { credential } = registrationInfo
    return {
      kind: 'verified',
      passkey: {
        passkeyId: credential.id,
        publicKey: Buffer.from(credential.publicKey).toString('base64url'),
        transports,
        counter: credential.counter,
      },
    }
  } catch (error) {
    return refusedBy(error)
  }
}

/** Whether the passkey signed the challenge here, with the person verified. */
export async function verifyAssertion(
  { rpId, origin, challenge }: Ceremony,
  { id, rawId, type, response }: z.infer<typeof passkeyAssertion>,
  { person, passkey }: { readonly person: Administrator; readonly passkey: Passkey },
): Promise<Verified<{ readonly counter: number }>> {
  if (response.userHandle !== userHandleOf(person.adminId))
    return { kind: 'refused', why: 'The passkey names another person, or none.' }
  const { verifyAuthenticationResponse } = await library()
  const { userHandle, ...signed } = response
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { id, rawId, type, response: { ...signed, userHandle }, ...noExtensions },
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: true,
      credential: {
        id: passkey.passkeyId,
        publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
        // The caller compares the counter, and records one that falls back.
        counter: 0,
      },
    })
    return verified
      ? { kind: 'verified', counter: authenticationInfo.newCounter }
      : { kind: 'refused', why: 'The signature is not that of the passkey.' }
  } catch (error) {
    return refusedBy(error)
  }
}

const noExtensions = { clientExtensionResults: {} }

/** The person's id, as the authenticator keeps it. It has no name and no address. */
function userHandleOf(adminId: string): string {
  return Buffer.from(adminId).toString('base64url')
}

/** The package throws for every answer that it cannot read, and for most that are wrong. */
function refusedBy(error: unknown): { readonly kind: 'refused'; readonly why: string } {
  return { kind: 'refused', why: error instanceof Error ? error.message : String(error) }
}
