import { parsePhoneNumberFromString, type NumberType } from 'libphonenumber-js/max'

/** A phone number in E.164, and whether a text may go to it. `reason` continues a sentence. */
export type TextNumber =
  | { readonly kind: 'none' }
  | { readonly kind: 'refused'; readonly to: string; readonly reason: string }
  | { readonly kind: 'allowed'; readonly to: string }

/** Their holders pay the ordinary price of a text. North America tells these types not apart. */
const allowedTypes: readonly NumberType[] = ['MOBILE', 'FIXED_LINE', 'FIXED_LINE_OR_MOBILE']

/**
 * Of the countries with +1. No place has these area codes: premium rate, personal numbers, Canadian
 * services, carriers, the government (NANPA). libphonenumber has types for most, and does not know
 * all that were assigned later.
 */
const unplacedAreas = /^(900|976|5(00|2[1-9]|33|44|66|77|88)|6(00|22|33|44|55|77|88)|700|710)$/
/**
 * In any area code: lines that cost more (976), access of carriers (950), their tests (958, 959).
 * libphonenumber takes them for lines of the area.
 */
const serviceExchanges = /^(976|950|958|959)$/

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
  const { countryCallingCode, nationalNumber } = parsed
  const type = parsed.getType()
  // A number of a type that libphonenumber does not know can cost anything.
  if (type === undefined) return refused('its type is unknown')
  if (countryCallingCode === '1' && isService(nationalNumber) && allowedTypes.includes(type))
    return refused('it is the number of a service')
  if (allowedTypes.includes(type)) return { kind: 'allowed', to }
  const name = type
    .toLowerCase()
    .replace(/_number$/, '')
    .replaceAll('_', '-')
  return refused(`it is a ${name} number`)
}

/** `number`: the ten digits of a number with +1. */
function isService(number: string): boolean {
  return unplacedAreas.test(number.slice(0, 3)) || serviceExchanges.test(number.slice(3, 6))
}
