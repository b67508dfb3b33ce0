import { z } from 'zod'
import type { UserId } from '#contracts/ids'
import type { Position } from '#services/event-store/event-store'
import { positionColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'

declare module 'express-session' {
  /** The JSON of the column `sess`. */
  interface SessionData {
    subject: string
    signedInAt: number
    /**
     * The position of the session's last write. The session's next query waits until the read
     * models have reached it.
     */
    position: string
    /** Recognises the browser that requested a sign-in code. */
    browser: string
  }
}

export const sessionSchema = 'app'
export const sessionTables = { customer: 'customer_session', admin: 'admin_session' } as const

const allTables = Object.values(sessionTables).map((table) => `${sessionSchema}.${table}`)
const positionRow = z.object({ position: positionColumn })

/** Ends every session of the customer. */
export async function deleteCustomerSessions(db: Queryable, userId: UserId): Promise<void> {
  await db.query(
    `DELETE FROM ${sessionSchema}.${sessionTables.customer} WHERE sess->>'subject' = $1`,
    [userId],
  )
}

/** The positions of all sessions' last writes. */
export async function sessionPositions(db: Queryable): Promise<readonly Position[]> {
  const rows = await allRows(
    db,
    positionRow,
    allTables
      .map(
        (table) =>
          `SELECT sess->>'position' AS position FROM ${table} WHERE sess->>'position' IS NOT NULL`,
      )
      .join(' UNION '),
  )
  return rows.map(({ position }) => position)
}

/**
 * Replaces the position of each session's last write by its value in `moved`. Removes a position
 * that `moved` does not have.
 */
export async function moveSessionPositions(
  db: Queryable,
  moved: ReadonlyMap<Position, Position>,
): Promise<void> {
  for (const table of allTables) {
    await db.query(
      `UPDATE ${table} AS s
       SET sess = CASE WHEN after IS NULL THEN (s.sess::jsonb - 'position')::json ELSE jsonb_set(s.sess::jsonb, '{position}', to_jsonb(after))::json END
       FROM ${table} AS same LEFT JOIN unnest($1::text[], $2::text[]) AS moved (before, after) ON before = same.sess->>'position'
       WHERE same.sid = s.sid AND s.sess->>'position' IS NOT NULL`,
      [[...moved.keys()], [...moved.values()]],
    )
  }
}

/**
 * Removes the position of each session's last write: it belongs to another log, and no query may
 * wait for it in this log.
 */
export async function removeSessionPositions(db: Queryable): Promise<void> {
  for (const table of allTables)
    await db.query(`UPDATE ${table} SET sess = (sess::jsonb - 'position')::json`)
}
