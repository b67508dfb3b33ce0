import { parsePhoneNumberFromString } from 'libphonenumber-js'
import { wireAddress } from './wire-address.ts'

/** `+1 218 555 3727` of `+12185553727`; another text as it is. */
export function shownNumber(address: string): string {
  return parsePhoneNumberFromString(address)?.formatInternational() ?? address
}

/**
 * `+12185553727` of `+1 218 555 3727`, so that a shown number can be searched. An e-mail address is
 * found in both spellings of its domain.
 */
export function searchedAddress(text: string): string {
  return text.startsWith('+')
    ? (parsePhoneNumberFromString(text)?.number ?? text)
    : wireAddress(text)
}
