import { browserSupportsWebAuthn, WebAuthnError } from '@simplewebauthn/browser'
import { errorText } from '../../../lib/http.ts'

/**
 * Why this browser cannot use a passkey of the product at this address, and what to do. Null if it
 * can. `origin` is the address at which the product's passkeys work.
 */
export function whyNoPasskey(origin: string): string | null {
  if (window.location.origin !== origin)
    return `Passkeys work at ${origin} only. Open the console there.`
  if (!browserSupportsWebAuthn())
    return 'This browser does not support passkeys. Use the password and a mailed code, or another browser.'
  return null
}

/** The sentence for a ceremony that failed in the browser or was refused by the server. */
export function passkeyProblem(error: unknown, failure: string): string {
  if (error instanceof WebAuthnError && error.code in sentences)
    return sentences[error.code as keyof typeof sentences]
  const { name = '' } = error instanceof Error ? error : {}
  // WebAuthn does not reveal which of them it was, so that no page learns who has a passkey.
  if (name === 'NotAllowedError' || name === 'AbortError')
    return 'The passkey was not used: the request was canceled, timed out, or this device has no passkey for it. Try again.'
  if (name === 'SecurityError') return 'Passkeys are not allowed at this address.'
  if (name === 'NotSupportedError')
    return 'This device cannot make a passkey with a PIN, a fingerprint or a face. Use another device.'
  return errorText(error, failure)
}

const sentences = {
  ERROR_CEREMONY_ABORTED: 'The request was canceled. Try again.',
  ERROR_INVALID_DOMAIN: 'Passkeys are not allowed at this address.',
  ERROR_INVALID_RP_ID: 'Passkeys are not allowed at this address.',
  ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED:
    'This device has a passkey of yours already. Use it, or add one of another device.',
  ERROR_AUTHENTICATOR_MISSING_DISCOVERABLE_CREDENTIAL_SUPPORT:
    'This device cannot store a passkey. Use another device.',
  ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT:
    'This device cannot verify you by a PIN, a fingerprint or a face. Set one up, or use another device.',
} as const
