import { isIP } from 'node:net'

/**
 * The site that passkeys belong to. It follows from PUBLIC_URL alone: with the Host header, a
 * request would choose for which site it signs in. `impossible`: why no browser makes a passkey for
 * this address, and what to do.
 */
export type RelyingParty = { readonly origin: string } & (
  | { readonly kind: 'possible'; readonly rpId: string }
  | { readonly kind: 'impossible'; readonly sentence: string }
)

/** The conditions of https://www.w3.org/TR/webauthn-3/: a domain, and a secure context. */
export function relyingPartyOf(publicUrl: string): RelyingParty {
  const { origin, hostname, protocol } = new URL(publicUrl)
  if (isIP(hostname.replaceAll(/[[\]]/g, '')) !== 0)
    return {
      kind: 'impossible',
      origin,
      sentence: `Passkeys need an address with a name, and this product has the IP address ${hostname}. Ask the operator to set PUBLIC_URL to a host name with https.`,
    }
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  if (protocol !== 'https:' && !isLocal)
    return {
      kind: 'impossible',
      origin,
      sentence: `Passkeys need https, and this product has the address ${origin}. Ask the operator to set PUBLIC_URL to an address with https.`,
    }
  return { kind: 'possible', origin, rpId: hostname }
}
