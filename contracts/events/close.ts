import { z } from 'zod'
import { currency } from '../money.ts'
import { event, type EventsOf } from './define-event.ts'

/** `yyyy-mm`, in the time zone of the close. */
const month = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'a month is written as 2026-03')

/** The sums of an account's lines in the month, in minor units of `currency`. */
const accountTotal = z.object({
  account: z.string(),
  currency,
  debit: z.int().min(0),
  credit: z.int().min(0),
})
export type AccountTotal = z.infer<typeof accountTotal>

/** The longest reason, in UTF-16 code units. */
export const longestReason = 500

/** Why an operator closed a month although a check found something. No personal data. */
const accepted = z.object({
  reason: z.string().trim().min(1).max(longestReason),
  /** What the checks found, in sentences. */
  findings: z.array(z.string()).min(1),
})
export type AcceptedFindings = Readonly<z.infer<typeof accepted>>

/** Stream `close-{yyyy-mm}`: the close of one month of the books. */
export const closeEvents = {
  /**
   * The month and all months before it are closed. A fact that is appended later and is dated there
   * is an adjustment in the first open month.
   */
  MonthCutOff: event(['books'], {
    month,
    /** The IANA name of the time zone in which the month ends. */
    timeZone: z.string(),
    /** Absent if every check before the close passed. */
    accepted: accepted.optional(),
  }),
  /** What the log had for the month up to the event MonthCutOff. */
  MonthClosed: event(['books'], {
    month,
    cutOffEventId: z.string(),
    /** The number of events that are booked in the month. */
    events: z.int().min(0),
    /**
     * The Merkle root by RFC 6962 of these events, in lower-case hex. A leaf is the SHA-256 of a
     * stored event as hex text. The leaves are in position order.
     */
    root: z.string().regex(/^[0-9a-f]{64}$/, 'a root is a SHA-256 in lower-case hex'),
    totals: z.array(accountTotal),
  }),
} as const

export type CloseEvent = EventsOf<typeof closeEvents>
