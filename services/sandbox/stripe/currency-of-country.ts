/** By country, ISO 3166-1 alpha-2: the currency in which Stripe settles there by default. */
const currencies: Readonly<Record<string, string>> = {
  AU: 'aud',
  BR: 'brl',
  CA: 'cad',
  CH: 'chf',
  CZ: 'czk',
  DK: 'dkk',
  GB: 'gbp',
  HK: 'hkd',
  HU: 'huf',
  IN: 'inr',
  JP: 'jpy',
  LI: 'chf',
  MX: 'mxn',
  MY: 'myr',
  NO: 'nok',
  NZ: 'nzd',
  PL: 'pln',
  RO: 'ron',
  SE: 'sek',
  SG: 'sgd',
  TH: 'thb',
  US: 'usd',
  AE: 'aed',
}
const inEuro = 'AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK'.split(' ')

/** Null for a country in which the sandbox has no accounts. */
export function currencyOfCountry(country: string): string | null {
  return inEuro.includes(country) ? 'eur' : (currencies[country] ?? null)
}
