import { z } from 'zod'
import { calendarDay } from '../calendar-day.ts'
import { instant } from '../instant.ts'
import { currency } from '../money.ts'
import { nameContracts } from '../name-contracts.ts'
import { openEnum } from '../open-enum.ts'
import { agingBuckets, clientParams, requestedCurrency, requestedDay } from './shared.ts'

/** The figures of the overview and of a client's page that open their events. */
const figures = [
  'outstanding',
  'overdue',
  'collected',
  'daysToPay',
  'dso',
  'promises',
  'reminders',
] as const

/** What became of a promise, and whether a payment followed a reminder. */
const outcomes = ['kept', 'broken', 'followed', 'not-followed'] as const

/**
 * `GET /api/receivables/events`: the events that a figure consists of. `amount` of all pages adds
 * up to the figure. `outstanding` and `overdue` have all events of each open invoice, the one that
 * is due first first; the others begin with the newest day. `bucket` narrows `outstanding` to a
 * column of the aging. `daysToPay` has one event per invoice paid in full, with its days. `dso` has
 * the invoicing of the months that were counted back through. `promises` has one event per promise,
 * `reminders` one per message, with what became of it. `client` narrows to the events of a client;
 * `dso` has none of one.
 */
export const figureEventsQuery = z
  .object({
    figure: z.enum(figures),
    asOf: requestedDay.optional(),
    currency: requestedCurrency.optional(),
    bucket: z.enum(agingBuckets).optional(),
    client: clientParams.shape.clientId.optional(),
    /** Continues after the last event of the page before: `next` of its answer. */
    after: z.string().max(200).optional(),
    limit: z.coerce.number().int().min(1).max(200).default(50),
  })
  .strict()

const figureEvent = z.object({
  /** Unique within the figure. */
  id: z.string(),
  type: z.string(),
  /** What the event records, in one sentence. */
  sentence: z.string(),
  /** What it adds to the figure, in minor units. 0 for `promises` and `reminders`. */
  amount: z.int(),
  /** Null for figures other than `promises` and `reminders`. */
  outcome: openEnum(outcomes).nullable(),
  /** `daysToPay`: from issue to full payment. Null for other figures. */
  days: z.int().nullable(),
  /** The day from which it counts. */
  day: calendarDay,
  recordedAt: instant,
  receivableId: z.string(),
  number: z.string(),
  clientId: z.string(),
  clientName: z.string(),
})

export const figureEventsResponse = z.object({
  figure: z.enum(figures),
  asOf: calendarDay,
  currency,
  /**
   * Of all pages: the figure. For `daysToPay` the weight, for `dso` what was invoiced, in minor
   * units. For `promises` and `reminders` the number of those that were kept, or followed.
   */
  amount: z.int(),
  /** Events of `collected`, `promises` and `reminders`; invoices of the other figures. */
  total: z.int().min(0),
  items: z.array(figureEvent),
  /** Null on the last page. */
  next: z.string().nullable(),
})

export type FigureEventsResponse = z.infer<typeof figureEventsResponse>

export type FigureEventsQuery = z.infer<typeof figureEventsQuery>

nameContracts({
  ReceivablesFigureEvent: figureEvent,
  ReceivablesFigureEvents: figureEventsResponse,
})
