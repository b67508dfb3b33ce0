import type { Money } from '../money.ts'
import { currencyExponent } from '../currency.ts'
import { storableText } from '../storable-text.ts'

/*
 * The link of a merchant's own gateway: an https address with variables in braces, such as
 * https://pay.example.com/i/{invoice}?amount={amount}. Free of zod, so that the page checks while a
 * merchant types. The server checks again.
 */

/** What a variable stands for, as the page says it. The order is that of the page. */
export const linkVariables = {
  invoice: 'the number of the invoice',
  amount: 'what the client pays, such as 1240.00',
  client: "the client's name",
} as const

type LinkVariable = keyof typeof linkVariables

const longestGatewayLink = 2_000

/** `place` is the number of the character, from 1. */
interface LinkProblem {
  readonly place: number
  readonly sentence: string
}

/** Why a link cannot be saved: the first place that is wrong. Null: it can. */
export function problemOfGatewayLink(link: string): LinkProblem | null {
  const at = (index: number, sentence: string) => ({
    place: Array.from(link.slice(0, index)).length + 1,
    sentence,
  })
  if (link.length > longestGatewayLink)
    return at(longestGatewayLink, 'A link has 2,000 characters at most.')
  if (!/^https:\/\//i.test(link))
    return at(0, 'A link begins with https://, so that no person can read or change the payment.')
  const wrong = /[^\u0021-\u007e]|["'<>`\\^|]/u.exec(link)
  if (wrong !== null)
    return at(
      wrong.index,
      /\s/u.test(wrong[0])
        ? 'A link has no spaces. Remove it, or write %20.'
        : `A link does not have ${/\p{C}/u.test(wrong[0]) ? 'a character that cannot be shown' : `the character ${wrong[0]}`}. Remove it, or copy the link from the address bar of a browser.`,
    )
  return problemOfSite(link, at) ?? problemOfBraces(link, at) ?? problemOfWhole(link, at)
}

/** `Character 24: There is no variable {invoce}.` */
export function linkProblemInWords({ place, sentence }: LinkProblem): string {
  return `Character ${place}: ${sentence}`
}

/** Whether the link says how much is paid, so that a client can pay a part. */
export function takesAmount(link: string): boolean {
  return link.includes('{amount}')
}

/**
 * The site that the link leads to, which the portal names: `pay.example.com`. A name in another
 * script is in its ASCII form, so that it looks like no other name.
 */
export function hostOfGatewayLink(link: string): string {
  return new URL(withoutVariables(link)).host
}

/**
 * The address for one payment. Values are percent-encoded, so none of them changes the rest of the
 * address. The amount has the decimals of its currency and no separators: `1240.00`, `980` in JPY.
 * `link` has no problem (`problemOfGatewayLink`).
 */
export function fillGatewayLink(
  link: string,
  {
    invoice,
    amount,
    client,
  }: { readonly invoice: string; readonly amount: Money; readonly client: string },
): string {
  const values: Readonly<Record<LinkVariable, string>> = {
    invoice: encoded(invoice),
    amount: decimals(amount),
    client: encoded(client),
  }
  return link.replace(braces, (typed, inside?: string) =>
    isVariable(inside) ? values[inside] : typed,
  )
}

type At = (index: number, sentence: string) => LinkProblem

const braces = /\{([^{}]*)\}|[{}]/g

function isVariable(name: string | undefined): name is LinkVariable {
  return name !== undefined && Object.hasOwn(linkVariables, name)
}

/** What stands between `https://` and the path. A user name can make a site look like another. */
function problemOfSite(link: string, at: At): LinkProblem | null {
  const start = 'https://'.length
  const [site = ''] = /^[^/?#]*/.exec(link.slice(start)) ?? []
  const brace = site.search(/[{}]/)
  if (brace >= 0)
    return at(start + brace, 'A variable stands after the name of the site, never in it.')
  if (site.includes('@'))
    return at(start + site.indexOf('@'), 'A link has no user name before its site. Remove it.')
  if (!/^[^.:]+(\.[^.:]+)+(:\d+)?$/.test(site))
    return at(start, 'Here is the name of the site, such as pay.example.com.')
  return null
}

function problemOfBraces(link: string, at: At): LinkProblem | null {
  const known = Object.keys(linkVariables)
    .map((name) => `{${name}}`)
    .join(', ')
  for (const { index, 0: typed, 1: inside } of link.matchAll(braces)) {
    if (inside === undefined)
      return at(index, `A variable has both braces, such as {invoice}. Here is only ${typed}`)
    if (!isVariable(inside))
      return at(index, `There is no variable ${typed}. The variables are ${known}.`)
  }
  return null
}

function problemOfWhole(link: string, at: At): LinkProblem | null {
  return URL.canParse(withoutVariables(link))
    ? null
    : at(0, 'This is no address that a browser can open. Copy it from the address bar.')
}

function withoutVariables(link: string): string {
  return link.replace(braces, 'x')
}

/** Also encodes the characters that `encodeURIComponent` leaves and some sites read as signs. */
function encoded(value: string): string {
  return encodeURIComponent(storableText(value)).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

function decimals({ amount, currency }: Money): string {
  const places = currencyExponent(currency)
  const digits = String(amount).padStart(places + 1, '0')
  return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`
}
