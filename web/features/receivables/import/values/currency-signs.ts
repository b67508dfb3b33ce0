/** No record: a cell can be `constructor`. */
const signs: ReadonlyMap<string, string> = new Map([
  ['us$', 'usd'],
  ['ca$', 'cad'],
  ['c$', 'cad'],
  ['au$', 'aud'],
  ['a$', 'aud'],
  ['nz$', 'nzd'],
  ['hk$', 'hkd'],
  ['s$', 'sgd'],
  ['mx$', 'mxn'],
  ['r$', 'brl'],
  ['€', 'eur'],
  ['£', 'gbp'],
  ['¥', 'jpy'],
  ['₹', 'inr'],
  ['₩', 'krw'],
  ['₪', 'ils'],
  ['₫', 'vnd'],
  ['₱', 'php'],
  ['฿', 'thb'],
  ['₺', 'try'],
  ['₦', 'ngn'],
  ['₴', 'uah'],
  ['zł', 'pln'],
  ['fr.', 'chf'],
  ['sfr', 'chf'],
  ['euro', 'eur'],
  ['euros', 'eur'],
])
const dollars = ['usd', 'cad', 'aud', 'nzd', 'hkd', 'sgd', 'mxn', 'twd', 'jmd', 'bsd', 'ttd']

let codes: ReadonlySet<string> | null = null

/**
 * The currency of `$`, `€` or `EUR`, or null. `expected` is the currency of the rows that name
 * none: its dollar is meant by `$`.
 */
export function currencyNamed(name: string, expected: string): string | null {
  const text = name.trim().toLowerCase()
  if (text === '$') return dollars.includes(expected) ? expected : 'usd'
  codes ??= new Set(Intl.supportedValuesOf('currency').map((code) => code.toLowerCase()))
  return codes.has(text) ? text : (signs.get(text) ?? null)
}

/** Codes that no other word of a header is. */
const codesOfHeaders = /\b(?:USD|EUR|GBP|CAD|AUD|NZD|CHF|JPY)\b/

/** The sign or code in the name of a column, such as `Amount (EUR)` or `Total €`; else empty. */
export function currencyInName(name: string): string {
  const [, inParentheses = ''] = /\(([^)]+)\)/.exec(name) ?? []
  if (currencyNamed(inParentheses, 'usd') !== null) return inParentheses
  const [found = ''] = /[A-Z]{0,2}\$|[€£¥₹₩]/.exec(name) ?? codesOfHeaders.exec(name) ?? []
  return found
}

export const withoutCurrencyCode = (name: string) => name.replace(codesOfHeaders, ' ')
