import { z } from 'zod'
import type { AddressHmac, UserId } from '#contracts/ids'
import type { Position } from '#services/event-store/event-store'
import { dateColumn, positionColumn } from '#services/foundation/columns'
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
    /** The digest of the company profile that this browser saved before the sign-in. */
    savedProfile: string
    /** The address that the customer signed in with. */
    addressHmac: string
    /** Of an administrator: the digest of the password that signed in. */
    passwordMark: string
    /**
     * The proof of a sign-in whose answer may be lost, in hex: the salt and the slow hash of its
     * code, or the digests of the challenge and of the signature of its passkey.
     */
    signInCode: { readonly salt: string; readonly hash: string }
    /** Names the session in the customer's list. It signs in to nothing. */
    handle: string
    /** Such as 'Firefox on Windows'. Absent if the browser is unknown. */
    browserName: string
  }
}

export const sessionSchema = 'app'
export const sessionTables = { customer: 'customer_session', admin: 'admin_session' } as const

const hour = 3_600_000

/** In milliseconds: the time without a request, and the time since the sign-in. */
export const sessionLimits = {
  customer: { idleMs: 24 * hour, longestMs: 30 * 24 * hour },
  admin: { idleMs: hour / 2, longestMs: 8 * hour },
} as const

const allTables = Object.values(sessionTables).map((table) => `${sessionSchema}.${table}`)
const positionRow = z.object({ position: positionColumn })

const customerTable = `${sessionSchema}.${sessionTables.customer}`

/** Ends every session of the customer. */
export async function deleteCustomerSessions(db: Queryable, userId: UserId): Promise<void> {
  await db.query(`DELETE FROM ${customerTable} WHERE sess->>'subject' = $1`, [userId])
}

/**
 * Ends the customer's sessions that signed in with another address than those that `remaining` has
 * the HMACs of, but not the session `kept`. A session that a rotation of EMAIL_HMAC_KEY has missed
 * ends, too.
 */
export async function deleteSessionsOfOtherAddresses(
  db: Queryable,
  userId: UserId,
  remaining: readonly AddressHmac[],
  kept: string | null,
): Promise<void> {
  await db.query(
    `DELETE FROM ${customerTable}
     WHERE sess->>'subject' = $1 AND sess->>'addressHmac' <> ALL ($2) AND sess->>'handle' IS DISTINCT FROM $3`,
    [userId, remaining, kept],
  )
}

/** Replaces the HMAC of an address in the customer's sessions, after a change of the key. */
export async function replaceSessionAddress(
  db: Queryable,
  userId: UserId,
  former: AddressHmac,
  latter: AddressHmac,
): Promise<void> {
  await db.query(
    `UPDATE ${customerTable} SET sess = jsonb_set(sess::jsonb, '{addressHmac}', to_jsonb($3::text))::json
     WHERE sess->>'subject' = $1 AND sess->>'addressHmac' = $2`,
    [userId, former, latter],
  )
}

/** Whether the customer has a session with this handle. */
export async function hasCustomerSession(
  db: Queryable,
  userId: UserId,
  handle: string,
): Promise<boolean> {
  const found = await allRows(
    db,
    handleRow,
    `SELECT sess->>'handle' AS handle FROM ${customerTable}
     WHERE sess->>'subject' = $1 AND sess->>'handle' = $2`,
    [userId, handle],
  )
  return found.length > 0
}

/** Ends the customer's session with this handle. */
export async function deleteCustomerSession(
  db: Queryable,
  userId: UserId,
  handle: string,
): Promise<void> {
  await db.query(
    `DELETE FROM ${customerTable} WHERE sess->>'subject' = $1 AND sess->>'handle' = $2`,
    [userId, handle],
  )
}

const handleRow = z.object({ handle: z.uuid() })

const openSessionRow = z.object({
  handle: z.uuid(),
  signed_in_at: z.number(),
  expire: dateColumn,
})

const customerSessionRow = z.object({
  sess: z.object({
    handle: z.uuid(),
    signedInAt: z.number(),
    browserName: z.string().optional(),
  }),
  expire: dateColumn,
})

interface ListedSession {
  readonly handle: string
  readonly signedInAt: Date
  readonly lastSeenAt: Date
  readonly browserName: string | null
}

/**
 * The customer's sessions that have not ended at `now`, newest sign-in first. Each request moves
 * `expire`, so `lastSeenAt` follows from it. The column is rounded up to a second.
 */
export async function listCustomerSessions(
  db: Queryable,
  userId: UserId,
  now: Date,
): Promise<readonly ListedSession[]> {
  const { idleMs, longestMs } = sessionLimits.customer
  const rows = await allRows(
    db,
    customerSessionRow,
    `SELECT sess, expire FROM ${customerTable}
     WHERE sess->>'subject' = $1 AND expire >= $2 AND (sess->>'signedInAt')::numeric >= $3
     ORDER BY (sess->>'signedInAt')::numeric DESC, sid`,
    [userId, now, now.getTime() - longestMs],
  )
  return rows.map(({ sess, expire }) => ({
    handle: sess.handle,
    signedInAt: new Date(sess.signedInAt),
    lastSeenAt: new Date(Math.min(now.getTime(), expire.getTime() - idleMs)),
    browserName: sess.browserName ?? null,
  }))
}

const adminTable = `${sessionSchema}.${sessionTables.admin}`

/** Ends the administrator's sessions. Their live streams end with them, in every process. */
export async function deleteAdminSessions(db: Queryable, adminId: string): Promise<void> {
  await db.query(`DELETE FROM ${adminTable} WHERE sess->>'subject' = $1`, [adminId])
}

/** Ends the administrator's sessions except the one with this handle. */
export async function deleteOtherAdminSessions(
  db: Queryable,
  adminId: string,
  kept: string | null,
): Promise<void> {
  await db.query(
    `DELETE FROM ${adminTable} WHERE sess->>'subject' = $1 AND sess->>'handle' IS DISTINCT FROM $2`,
    [adminId, kept],
  )
}

/** Ends every administrator's session: after the first name, the shared password is not enough. */
export async function deleteAllAdminSessions(db: Queryable): Promise<void> {
  await db.query(`DELETE FROM ${adminTable}`)
}

/** When each of the administrators' sessions ends that has not ended at `now`. Prolongs none. */
export async function openAdminSessions(
  db: Queryable,
  handles: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, Date>> {
  const { longestMs } = sessionLimits.admin
  const open = await allRows(
    db,
    openSessionRow,
    `SELECT sess->>'handle' AS handle, (sess->>'signedInAt')::float8 AS signed_in_at, expire
     FROM ${sessionSchema}.${sessionTables.admin}
     WHERE sess->>'handle' = ANY($1) AND expire >= $2 AND (sess->>'signedInAt')::numeric >= $3`,
    [handles, now, now.getTime() - longestMs],
  )
  return new Map(
    open.map(({ handle, signed_in_at, expire }) => [
      handle,
      new Date(Math.min(expire.getTime(), signed_in_at + longestMs)),
    ]),
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
