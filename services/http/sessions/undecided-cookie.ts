import { sign } from 'cookie-signature'
import { signedId } from './signed-id.ts'

/*
 * The cookie after a sign-in whose commit had no answer. It names the session of the sign-in, and
 * the former session of the browser. The next request shows which of them exists.
 */

const separator = '~'

/** `former` is null if the browser had no stored session. */
export function undecidedCookie(begun: string, former: string | null, secret: string): string {
  const signed = (id: string) => `s:${sign(id, secret)}`
  return former === null ? signed(begun) : `${signed(begun)}${separator}${signed(former)}`
}

interface Undecided {
  readonly begun: string
  /** The `Cookie` header as if the sign-in had succeeded, and as if it had failed. */
  readonly ifBegun: string
  readonly ifNot: string
}

/** Null if the cookie names at most one session. */
export function undecidedIn(
  header: string | undefined,
  cookieName: string,
  secrets: readonly string[],
): Undecided | null {
  const cookies = header?.split(';').map((each) => each.trim()) ?? []
  const found = cookies.find((each) => each.startsWith(`${cookieName}=`))
  const [first, second] = found?.slice(cookieName.length + 1).split(separator) ?? []
  if (first === undefined || second === undefined) return null
  const begun = signedId(`${cookieName}=${first}`, cookieName, secrets)
  if (begun === null) return null
  const withValue = (value: string) =>
    cookies.map((each) => (each === found ? `${cookieName}=${value}` : each)).join('; ')
  return { begun, ifBegun: withValue(first), ifNot: withValue(second) }
}
