import { unsign } from 'cookie-signature'

/**
 * The id of the session in a `Cookie` header. Null without a valid signature by one of `secrets`:
 * this product has not given the cookie. The session itself can have ended.
 */
export function signedId(
  header: string | undefined,
  cookieName: string,
  secrets: readonly string[],
): string | null {
  const prefix = `${cookieName}=s%3A`
  const found = header
    ?.split(';')
    .map((each) => each.trim())
    .find((each) => each.startsWith(prefix))
  if (found === undefined) return null
  const signed = decoded(found.slice(prefix.length))
  for (const secret of secrets) {
    const id = unsign(signed, secret)
    if (id !== false) return id
  }
  return null
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return ''
  }
}
