const signs: Readonly<Record<string, string>> = {
  us$: 'usd',
  ca$: 'cad',
  c$: 'cad',
  au$: 'aud',
  a$: 'aud',
  nz$: 'nzd',
  hk$: 'hkd',
  s$: 'sgd',
  mx$: 'mxn',
  r$: 'brl',
  '€': 'eur',
  '£': 'gbp',
  '¥': 'jpy',
  '₹': 'inr',
  '₩': 'krw',
  '₪': 'ils',
  '₫': 'vnd',
  '₱': 'php',
  '฿': 'thb',
  '₺': 'try',
  '₦': 'ngn',
  '₴': 'uah',
  zł: 'pln',
  'fr.': 'chf',
  sfr: 'chf',
  euro: 'eur',
  euros: 'eur',
}
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
  return codes.has(text) ? text : (signs[text] ?? null)
}
