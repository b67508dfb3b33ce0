/**
 * The exponents of minor units that are not 2: the number of decimals of a currency. Source:
 * ISO 4217, and Stripe's lists of zero-decimal and three-decimal currencies. Free of zod, so that a
 * page that only formats money does not load zod.
 */
const exponents: Readonly<Record<string, number>> = {
  bif: 0,
  clp: 0,
  djf: 0,
  gnf: 0,
  jpy: 0,
  kmf: 0,
  krw: 0,
  mga: 0,
  pyg: 0,
  rwf: 0,
  vnd: 0,
  vuv: 0,
  xaf: 0,
  xof: 0,
  xpf: 0,
  bhd: 3,
  jod: 3,
  kwd: 3,
  omr: 3,
  tnd: 3,
}

/** The number of decimals of a currency: 0 for jpy, 2 for usd, 3 for kwd. */
export function currencyExponent(currency: string): number {
  return exponents[currency.toLowerCase()] ?? 2
}

/**
 * Integer minor units to decimal major units: `toMajorUnits(3900, 'usd')` is 39. Only for API
 * answers.
 */
export function toMajorUnits(minor: number, currency: string): number {
  return minor / 10 ** currencyExponent(currency)
}

/**
 * Decimal major units to integer minor units: `toMinorUnits(1.1, 'usd')` is 110. Null for an amount
 * with more decimals than the currency has, such as 1.005 usd.
 */
export function toMinorUnits(major: number, currency: string): number | null {
  const minor = Math.round(major * 10 ** currencyExponent(currency))
  return Number.isSafeInteger(minor) && toMajorUnits(minor, currency) === major ? minor : null
}
