import { z } from 'zod'
import { event, personal, type EventsOf } from './define-event.ts'

/** Stream `merchant-{userId}`: how a customer of the product collects its receivables. */
export const merchantEvents = {
  /** An IANA name. Its days are the days of issue, due date and payment. */
  TimeZoneChosen: event(['merchant'], { timeZone: z.string() }),
  /**
   * A key with which a program adds invoices. `hash` is the SHA-256 of the key in hexadecimal
   * digits, `ending` its last four characters.
   */
  ApiKeyMade: event(['merchant'], {
    keyId: z.string(),
    name: personal(z.string()),
    hash: z.string(),
    ending: z.string(),
  }),
  ApiKeyRevoked: event(['merchant'], { keyId: z.string() }),
  /** The account was erased, and all its clients are erased with it. */
  MerchantErased: event(['merchant', 'erasure'], {}),
} as const

export type MerchantEvent = EventsOf<typeof merchantEvents>
