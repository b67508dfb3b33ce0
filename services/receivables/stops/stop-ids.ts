import { createHmac, type KeyObject } from 'node:crypto'
import { parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { parseStopId, type StopId, type UserId } from '#contracts/ids'
import { emailKey } from '#contracts/receivables/client-key'

/** The channels of messages: `mail` and `text`. */
export type Channel = 'mail' | 'text'

/** What a client is reached by, as the merchant wrote it. */
export interface Reached {
  readonly email: string | null
  readonly phone: string | null
}

export interface StopIds {
  /** A stop in the portal of the merchant. Null for a text that is no address or number. */
  ofMerchant(channel: Channel, merchantId: UserId, address: string): StopId | null
  /** A STOP by text: it ends the texts of all merchants to the number. */
  ofPhone(phone: string): StopId | null
}

/**
 * The ids of stops: an HMAC of the address under a key of its own, so that a stop outlives the
 * erasure of the address. Capital letters of a mailbox do not count, and a number counts in E.164.
 */
export function createStopIds(key: KeyObject): StopIds {
  const hmac = (text: string) => parseStopId(createHmac('sha256', key).update(text).digest('hex'))
  return {
    ofMerchant(channel, merchantId, address) {
      const normal = channel === 'mail' ? mailboxOf(address) : e164Of(address)
      return normal === null ? null : hmac(`${channel}|${merchantId}|${normal}`)
    },
    ofPhone(phone) {
      const number = e164Of(phone)
      return number === null ? null : hmac(`text|*|${number}`)
    },
  }
}

function mailboxOf(address: string): string | null {
  const normal = emailKey(address)
  return normal.includes('@') ? normal : null
}

/** A number without a country code is one of the United States, as where texts are sent. */
function e164Of(phone: string): string | null {
  const parsed = parsePhoneNumberFromString(phone, 'US')
  return parsed?.isPossible() === true ? parsed.number : null
}
