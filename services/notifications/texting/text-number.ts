import { parsePhoneNumberFromString, type NumberType } from 'libphonenumber-js/max'

/** A phone number in E.164, and whether a text may go to it. `reason` continues a sentence. */
type TextNumber =
  | { readonly kind: 'none' }
  | { readonly kind: 'refused'; readonly to: string; readonly reason: string }
  | { readonly kind: 'allowed'; readonly to: string }

/** Their holders pay the ordinary price of a text. North America tells these types not apart. */
const allowedTypes: readonly NumberType[] = ['MOBILE', 'FIXED_LINE', 'FIXED_LINE_OR_MOBILE']

/** The territories have codes of their own, and the numbers of their country. */
const countryOfTerritory: Readonly<Record<string, string>> = {
  AS: 'US',
  GU: 'US',
  MP: 'US',
  PR: 'US',
  VI: 'US',
}

/**
 * A number without a country code is one of the United States. Texts to premium, shared-cost and
 * satellite numbers are expensive, and a stranger can enter such a number: only mobile and fixed
 * lines of `countries` (ISO 3166-1 alpha-2) get texts.
 */
export function textNumberOf(text: string, countries: ReadonlySet<string>): TextNumber {
  const parsed = parsePhoneNumberFromString(text, 'US')
  if (parsed?.isValid() !== true) return { kind: 'none' }
  const { number: to, country } = parsed
  const refused = (reason: string) => ({ kind: 'refused', to, reason }) as const
  // Satellite phones and other international services belong to no country.
  if (country === undefined) return refused('it belongs to no country')
  if (!countries.has(countryOfTerritory[country] ?? country))
    return refused(`the country ${country} is not in TEXT_COUNTRIES`)
  const type = parsed.getType()
  if (type === undefined || allowedTypes.includes(type)) return { kind: 'allowed', to }
  const name = type
    .toLowerCase()
    .replace(/_number$/, '')
    .replaceAll('_', '-')
  return refused(`it is a ${name} number`)
}
