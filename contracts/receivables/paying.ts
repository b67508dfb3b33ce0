import { z } from 'zod'
import { calendarDay } from '../calendar-day.ts'
import { currency } from '../money.ts'
import { nameContracts } from '../name-contracts.ts'
import { clientParams, requestedCurrency, requestedDay } from './shared.ts'

/** The figures below are of this many days, `dso` apart. */
export const daysOfPaying = 90

/**
 * `GET /api/receivables/paying`: how clients pay, at the end of `asOf`, by what is known now. With
 * `client`, of this client. The defaults of `asOf` and `currency` are those of the overview.
 */
export const payingQuery = z
  .object({
    asOf: requestedDay.optional(),
    currency: requestedCurrency.optional(),
    client: clientParams.shape.clientId.optional(),
  })
  .strict()

export const payingResponse = z.object({
  asOf: calendarDay,
  currency,
  /**
   * Days sales outstanding by the countback method: how many days of the latest invoicing the
   * outstanding amount equals. Null for one client.
   */
  dso: z
    .object({
      /** Null if less was invoiced than is outstanding. 0 if nothing is outstanding. */
      days: z.number().min(0).nullable(),
      /** In minor units. */
      outstanding: z.int(),
    })
    .nullable(),
  /** From issue to full payment, weighted by amount, of the invoices paid in full in 90 days. */
  daysToPay: z.object({ days: z.number().nullable(), count: z.int().min(0) }),
  /**
   * Promises whose day passed in the 90 days before `asOf`, and those of them that were kept: the
   * invoice was paid in full by the end of the day. A promise that was changed or withdrawn before
   * its day had passed counts once, by its last day.
   */
  promises: z.object({ count: z.int().min(0), kept: z.int().min(0) }),
  /**
   * Reminders of the 90 days up to `asOf`, and those of them that a payment of one of their
   * invoices followed within 3 days. As in `GET /api/receivables/schedule/results`.
   */
  reminders: z.object({ count: z.int().min(0), followed: z.int().min(0) }),
})

export type PayingQuery = z.infer<typeof payingQuery>
export type Paying = z.infer<typeof payingResponse>

nameContracts({ ReceivablesPaying: payingResponse })
