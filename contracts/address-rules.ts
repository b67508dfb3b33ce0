/*
 * What an e-mail address is, for the web, the API and the operator's commands. Free of zod.
 *
 * The local part is a dot-atom of RFC 5321 with 64 characters at most. Quoted local parts and
 * address literals are refused: both are rare, and both are more often a mistake than an address.
 * Letters outside ASCII in the local part (SMTPUTF8, RFC 6531) are refused, because many mail
 * servers on the way cannot deliver to them, and a code that does not arrive locks the person out.
 *
 * The domain has 253 characters at most. A domain in another script is stored in its ASCII form
 * (RFC 5891), so that both spellings are one account. `readableAddress` shows it in its script.
 */

/** Source: RFC 5321, 4.5.3.1: a path of 256 octets includes both angle brackets. */
export const longestAddress = 254
const longestLocalPart = 64
const longestDomain = 253

const dotAtom = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/
const label = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/
const ascii = /^[\0-\x7f]*$/
/** Letters, marks, digits, dots and hyphens. */
const letters = /^[\p{L}\p{M}\p{Nd}.-]+$/u

export type ReadAddress =
  /** Lower case, with the domain in its ASCII form. */
  { readonly address: string } | { readonly problem: string }

/** White space, and characters without a shape, which a copied address brings along. */
const around = /^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu

/** The forms of ASCII characters, and the full stop, that East Asian keyboards type. */
const fullWidth = /[\uff01-\uff5e\u3002]/

/** Reads an address that a person entered. */
export function readAddress(text: string): ReadAddress {
  // Before everything else, so that a long text costs nothing.
  if (text.length > 4 * longestAddress) return { problem: tooLong }
  const entered = text.replace(around, '')
  if (fullWidth.test(entered)) return { problem: fullWidthProblem }
  const at = entered.lastIndexOf('@')
  if (at < 1) return { problem: notAnAddress }
  const local = entered.slice(0, at)
  if (!ascii.test(local)) return { problem: localPartNotAscii }
  if (!dotAtom.test(local)) return { problem: notAnAddress }
  if (local.length > longestLocalPart)
    return { problem: `The part before the @ has ${longestLocalPart} characters at most.` }
  const domain = asciiDomain(entered.slice(at + 1))
  if (domain === null) return { problem: notAnAddress }
  const address = `${local.toLowerCase()}@${domain}`
  return address.length > longestAddress ? { problem: tooLong } : { address }
}

const notAnAddress = 'Enter a valid e-mail address.'
const tooLong = `An e-mail address has ${longestAddress} characters at most.`
const fullWidthProblem =
  'The address has full-width characters. Switch your keyboard to Latin letters and type it again.'
const localPartNotAscii =
  'Enter a valid e-mail address: the part before the @ has letters from a to z, digits and signs.'

/** The domain in its ASCII form, or null if it is none. */
function asciiDomain(entered: string): string | null {
  const isAscii = ascii.test(entered)
  if (!isAscii && !isPlainName(entered)) return null
  const domain = entered.toLowerCase()
  const name = !isAscii || /(?:^|\.)xn--/.test(domain) ? encoded(domain) : domain
  if (name === null || name.length > longestDomain) return null
  const labels = name.split('.')
  const last = labels.at(-1) ?? ''
  // The last label of an IPv4 address is a number.
  const isName = labels.length > 1 && last.length > 1 && /[a-z]/.test(last)
  return isName && labels.every((each) => label.test(each)) ? name : null
}

/**
 * The ASCII form by the rules of the browser's addresses (UTS 46). The URL parser has the tables of
 * Unicode, in browsers and in Node. `isPlainName` leaves it nothing else to interpret.
 */
function encoded(domain: string): string | null {
  if (!letters.test(domain)) return null
  return URL.canParse(`https://${domain}`) ? new URL(`https://${domain}`).hostname : null
}

/**
 * A name of letters that UTS 46 does not turn into ASCII: the Kelvin sign (U+212A) becomes the
 * letter k, so a name that looks like another one would become it. For the same reason no label
 * mixes letters of scripts that look the same.
 */
function isPlainName(domain: string): boolean {
  return (
    letters.test(domain) &&
    [...domain].every(
      (character) =>
        ascii.test(character) || !/[\0-\x7f]/.test(character.normalize('NFKC').toLowerCase()),
    ) &&
    !domain.split('.').some(mixesLookalikes)
  )
}

/** Whether a label has letters of two scripts whose letters look the same. */
export function mixesLookalikes(text: string): boolean {
  const scripts = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u]
  return scripts.filter((script) => script.test(text)).length > 1
}
