import { z } from 'zod'
import { calendarDay } from '../calendar-day.ts'
import { mayGrow, personal } from './define-event.ts'

/*
 * What the events of clients and receivables share. Amounts are integer minor units of the
 * receivable's currency. Days are days in the merchant's time zone.
 */

/**
 * Whose event it is: the merchant's user id, and the client. The key of the personal fields is that
 * of the client.
 */
export const ofClient = { merchantId: z.string(), clientId: z.string() }

/** More than 0, in minor units. */
export const amount = z.int().positive()

/** A text that a person writes about a client. It may name people, so it is personal. */
export const note = personal(z.string())

/** How money came in, or went back, without the product's payment page. */
export const moneyMethod = mayGrow(z.enum(['check', 'cash', 'card', 'bank-transfer', 'other']))
export type MoneyMethod = z.infer<typeof moneyMethod>

/** Reminders pause. `until` is the first day on which they continue; null: until it is released. */
export const hold = { reason: note, until: calendarDay.nullable() }
