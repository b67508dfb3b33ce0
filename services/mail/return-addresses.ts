import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto'
import {
  isClientId,
  isEnquiryId,
  isUserId,
  type ClientId,
  type EnquiryId,
  type UserId,
} from '#contracts/ids'

/** To whom a mail is, for the record of its outcome. */
export type MailOwner =
  | { readonly kind: 'client'; readonly id: ClientId }
  | { readonly kind: 'user'; readonly id: UserId }
  | { readonly kind: 'enquiry'; readonly id: EnquiryId }

/**
 * A return address names its mail: `bounce+{token}@example.com` (VERP). The token has the owner
 * and an HMAC over the owner and the id of the mail. So no stranger can make up a report of a mail
 * that was never sent, and the id is found among the owner's mails.
 */
export interface ReturnTokens {
  /** Null for an owner without a random id: its mails have no return address. */
  tokenOf(owner: MailOwner, messageId: string): string | null
  /** The owner that the token names, valid or not. Null for a text that is no token. */
  ownerIn(token: string): MailOwner | null
  /** Whether the token is the one of this mail. In a time that does not depend on the token. */
  isOf(token: string, owner: MailOwner, messageId: string): boolean
}

/** Small letters and digits only: some mail servers change the case of an address. */
const base = 36
/** 96 bits. */
const macBytes = 12
const macLength = 19

/** By kind of owner: the first sign of a token, and the length of the id in it. */
const shapes = [
  { kind: 'client', sign: 'c', prefix: 'client_', digits: 32, length: 25 },
  { kind: 'user', sign: 'u', prefix: 'usr_', digits: 24, length: 19 },
  { kind: 'enquiry', sign: 'e', prefix: 'enquiry_', digits: 24, length: 19 },
] as const

/** The longest token. A local part has 64 signs (RFC 5321), with the part before the `+`. */
export const longestToken = 1 + Math.max(...shapes.map(({ length }) => length)) + macLength

/** @param key of the HMACs (`returnKeyOf`) */
export function createReturnTokens(key: KeyObject): ReturnTokens {
  const macOf = ({ kind, id }: MailOwner, messageId: string): string => {
    const mac = createHmac('sha256', key)
      .update(JSON.stringify(['return address', kind, id, messageId]))
      .digest()
      .subarray(0, macBytes)
    return short(mac.toString('hex'), macLength)
  }
  return {
    tokenOf(owner, messageId) {
      const shape = shapes.find(({ kind }) => kind === owner.kind)
      const hex = owner.id.slice(shape?.prefix.length)
      if (hex.length !== shape?.digits || !/^[0-9a-f]+$/.test(hex)) return null
      return `${shape.sign}${short(hex, shape.length)}${macOf(owner, messageId)}`
    },
    ownerIn(token) {
      const shape = shapes.find(({ sign }) => token.startsWith(sign))
      if (!/^[0-9a-z]+$/.test(token) || token.length !== 1 + (shape?.length ?? 0) + macLength)
        return null
      const hex = long(token.slice(1, -macLength)).padStart(shape?.digits ?? 0, '0')
      return hex.length === shape?.digits ? ownerOf(`${shape.prefix}${hex}`) : null
    },
    isOf(token, owner, messageId) {
      const given = Buffer.from(token.slice(-macLength))
      const mac = Buffer.from(macOf(owner, messageId))
      return given.length === mac.length && timingSafeEqual(given, mac)
    },
  }
}

function ownerOf(id: string): MailOwner | null {
  if (isClientId(id)) return { kind: 'client', id }
  if (isUserId(id)) return { kind: 'user', id }
  return isEnquiryId(id) ? { kind: 'enquiry', id } : null
}

function short(hex: string, length: number): string {
  return BigInt(`0x${hex}`).toString(base).padStart(length, '0')
}

function long(digits: string): string {
  const number = [...digits].reduce(
    (sum, digit) => sum * BigInt(base) + BigInt(Number.parseInt(digit, base)),
    0n,
  )
  return number.toString(16)
}

/** `bounce+{token}@example.com`. Without a token, the address itself. */
export function returnAddress(bounceAddress: string, token: string | null): string {
  return token === null ? bounceAddress : bounceAddress.replace(/@[^@]*$/, `+${token}$&`)
}

/** The token in a return address of `bounceAddress`. Null for any other address. */
export function tokenIn(bounceAddress: string, address: string): string | null {
  const [local = '', domain = ''] = bounceAddress.toLowerCase().split('@')
  const given = address.trim().toLowerCase()
  const start = `${local}+`
  const end = `@${domain}`
  if (!given.startsWith(start) || !given.endsWith(end)) return null
  const token = given.slice(start.length, -end.length)
  return /^[0-9a-z]+$/.test(token) ? token : null
}
