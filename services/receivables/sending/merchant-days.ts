import { z } from 'zod'
import type { UserId } from '#contracts/ids'
import type { Day } from '#services/finance/calendar'
import type { Queryable } from '#services/foundation/queryable'
import { allRows, firstRow } from '#services/foundation/rows'
import { dayOf } from '../day-of.ts'

/** The places that messages took on a day of their merchant. */
export interface TakenPlaces {
  readonly clients: number
  /** All places were taken at some time of the day. */
  readonly wasFull: boolean
}

export const noPlaces: TakenPlaces = { clients: 0, wasFull: false }

/** How many clients each merchant has messaged on its days. */
export interface MerchantDays {
  /** By day, from `since` on. */
  countsOf(merchantId: UserId, since: Day): Promise<ReadonlyMap<Day, TakenPlaces>>
  /**
   * Takes a place of the day. False: all `max` are taken. Several processes may ask at once. A
   * process that ends before its message is recorded leaves one place unused.
   */
  take(merchantId: UserId, day: Day, max: number): Promise<boolean>
  /** The message did not go out: its place of the day is free again. */
  giveBack(merchantId: UserId, day: Day): Promise<void>
}

const countRow = z.object({
  day: z.string().transform(dayOf),
  clients: z.int(),
  wasFull: z.boolean(),
})

export function createMerchantDays(db: Queryable): MerchantDays {
  return {
    async countsOf(merchantId, since) {
      const rows = await allRows(
        db,
        countRow,
        `SELECT day::text AS day, clients, was_full AS "wasFull" FROM app.merchant_day
         WHERE merchant_id = $1 AND day >= $2`,
        [merchantId, since],
      )
      return new Map(rows.map(({ day, ...places }) => [day, places]))
    },

    async take(merchantId, day, max) {
      const taken = await firstRow(
        db,
        z.object({ clients: z.int() }),
        `INSERT INTO app.merchant_day AS known (merchant_id, day, clients, was_full)
         SELECT $1, $2, 1, $3 = 1 WHERE $3 > 0
         ON CONFLICT (merchant_id, day) DO UPDATE
         SET clients = known.clients + 1, was_full = known.was_full OR known.clients + 1 >= $3
         WHERE known.clients < $3
         RETURNING clients`,
        [merchantId, day, max],
      )
      return taken !== undefined
    },

    async giveBack(merchantId, day) {
      await db.query(
        `UPDATE app.merchant_day SET clients = clients - 1
         WHERE merchant_id = $1 AND day = $2 AND clients > 0`,
        [merchantId, day],
      )
    },
  }
}
