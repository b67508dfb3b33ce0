import { z } from 'zod'
import {
  parseClientId,
  parseReceivableId,
  parseUserId,
  type ClientId,
  type ReceivableId,
  type UserId,
} from '#contracts/ids'
import type { Instant } from '#contracts/instant'
import { storedReason } from '#services/foundation/stored-reason'
import type { Queryable } from '#services/foundation/queryable'
import { allRows, firstRow } from '#services/foundation/rows'

export interface NewAppointment {
  readonly merchantId: string
  readonly clientId: string
  readonly receivableId?: string | undefined
}

/** Looks after these clients at `now`, or earlier. */
export async function appointClients(
  tx: Queryable,
  appointments: readonly NewAppointment[],
  now: Date,
): Promise<void> {
  if (appointments.length === 0) return
  // In one order, so that two processes do not wait for each other's rows.
  const clients = new Map(appointments.map((each) => [each.clientId, each.merchantId]))
  const ordered = [...clients].toSorted(([a], [b]) => (a < b ? -1 : 1))
  await tx.query(
    `INSERT INTO app.client_appointment AS known (client_id, merchant_id, due_at)
     SELECT client_id, merchant_id, $3 FROM unnest($1::text[], $2::text[]) AS given (client_id, merchant_id)
     ON CONFLICT (client_id) DO UPDATE
     SET due_at = LEAST(known.due_at, excluded.due_at), version = known.version + 1`,
    [ordered.map(([clientId]) => clientId), ordered.map(([, merchantId]) => merchantId), now],
  )
  await tx.query(
    'INSERT INTO app.client_turn (client_id) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING',
    [ordered.map(([clientId]) => clientId)],
  )
  const owed = appointments
    .flatMap(({ clientId, receivableId }) =>
      receivableId === undefined ? [] : [{ clientId, receivableId }],
    )
    .toSorted((a, b) =>
      `${a.clientId} ${a.receivableId}` < `${b.clientId} ${b.receivableId}` ? -1 : 1,
    )
  if (owed.length === 0) return
  await tx.query(
    `INSERT INTO app.client_receivable (client_id, receivable_id)
     SELECT * FROM unnest($1::text[], $2::text[])
     ON CONFLICT (client_id, receivable_id) DO UPDATE SET may_be_owed = true`,
    [owed.map(({ clientId }) => clientId), owed.map(({ receivableId }) => receivableId)],
  )
}

/** Looks after all clients of these merchants at `now`, or earlier. */
export async function appointMerchants(
  tx: Queryable,
  merchantIds: readonly UserId[],
  now: Date,
): Promise<void> {
  if (merchantIds.length === 0) return
  await tx.query(
    `UPDATE app.client_appointment SET due_at = LEAST(due_at, $2), version = version + 1
     WHERE client_id IN (
       SELECT client_id FROM app.client_appointment WHERE merchant_id = ANY ($1)
       ORDER BY client_id FOR UPDATE
     )`,
    [merchantIds, now],
  )
}

const merchantRow = z.object({ merchantId: z.string() })

/** The merchants that have a due appointment. `now`: of the business clock. */
export async function dueMerchants(db: Queryable, now: Date): Promise<readonly UserId[]> {
  const rows = await allRows(
    db,
    merchantRow,
    `SELECT DISTINCT merchant_id AS "merchantId" FROM app.client_appointment
     WHERE due_at <= $1 AND next_attempt_at <= now()`,
    [now],
  )
  return rows.map(({ merchantId }) => parseUserId(merchantId))
}

const dueRow = z.object({ clientId: z.string(), attempts: z.int(), version: z.int() })

/** An appointment that this process keeps. */
export interface Claimed {
  readonly clientId: ClientId
  /** Failed ones in a row. */
  readonly attempts: number
  readonly version: number
}

/**
 * The merchant's next due appointment. Holds the client's turn until the transaction ends, so that
 * no other process looks after the client meanwhile. Null if none is due.
 */
export async function claimDue(
  tx: Queryable,
  merchantId: UserId,
  now: Date,
): Promise<Claimed | null> {
  // If this process freezes, the server ends the transaction, and another process takes the turn.
  await tx.query("SET LOCAL idle_in_transaction_session_timeout = '2min'")
  const row = await firstRow(
    tx,
    dueRow,
    `SELECT client_id AS "clientId", attempts, version
     FROM app.client_appointment JOIN app.client_turn USING (client_id)
     WHERE merchant_id = $1 AND due_at <= $2 AND next_attempt_at <= now()
     ORDER BY due_at, client_id LIMIT 1 FOR UPDATE OF client_turn SKIP LOCKED`,
    [merchantId, now],
  )
  return row === undefined ? null : { ...row, clientId: parseClientId(row.clientId) }
}

/** Takes the turn of a client that has an appointment, after a process that has it. */
export async function takeClientTurn(tx: Queryable, clientId: ClientId): Promise<void> {
  await tx.query("SET LOCAL idle_in_transaction_session_timeout = '2min'")
  await tx.query('SELECT FROM app.client_turn WHERE client_id = $1 FOR UPDATE', [clientId])
}

/**
 * The next appointment. Null: nothing is to come. An event since the claim keeps its own: false.
 */
export async function keepUntil(
  tx: Queryable,
  { clientId, version }: Claimed,
  dueAt: Instant | null,
): Promise<boolean> {
  const kept = await firstRow(
    tx,
    z.object({ version: z.int() }),
    `UPDATE app.client_appointment
     SET due_at = CASE WHEN version = $3 THEN $2::timestamptz ELSE LEAST(due_at, $2) END,
       attempts = 0, last_error = NULL, next_attempt_at = now()
     WHERE client_id = $1 RETURNING version`,
    [clientId, dueAt, version],
  )
  return kept?.version === version
}

/** The appointment stays due, and is kept again after the delay. */
export async function retryLater(
  tx: Queryable,
  clientId: ClientId,
  delayMs: number,
  error: unknown,
): Promise<void> {
  await tx.query(
    `UPDATE app.client_appointment SET attempts = attempts + 1, last_error = $3,
       next_attempt_at = clock_timestamp() + make_interval(secs => $2::float8 / 1000)
     WHERE client_id = $1`,
    [clientId, delayMs, storedReason(error).slice(0, 500)],
  )
}

/** The client was erased, or its import was undone. */
export async function forgetClient(tx: Queryable, clientId: ClientId): Promise<void> {
  await tx.query('DELETE FROM app.client_receivable WHERE client_id = $1', [clientId])
  await tx.query('DELETE FROM app.client_appointment WHERE client_id = $1', [clientId])
  await tx.query('DELETE FROM app.client_turn WHERE client_id = $1', [clientId])
}

const receivableRow = z.object({ receivableId: z.string() })

/** The receivables of a client that may be owed. */
export async function owedBy(db: Queryable, clientId: ClientId): Promise<readonly ReceivableId[]> {
  const rows = await allRows(
    db,
    receivableRow,
    `SELECT receivable_id AS "receivableId" FROM app.client_receivable
     WHERE client_id = $1 AND may_be_owed ORDER BY receivable_id`,
    [clientId],
  )
  return rows.map(({ receivableId }) => parseReceivableId(receivableId))
}

/**
 * Nothing is owed of these: they are not read again until an event of theirs comes. Only after
 * `keepUntil` has found none: its row lock keeps later ones waiting.
 */
export async function leaveOut(
  tx: Queryable,
  clientId: ClientId,
  receivableIds: readonly string[],
): Promise<void> {
  if (receivableIds.length === 0) return
  await tx.query(
    'UPDATE app.client_receivable SET may_be_owed = false WHERE client_id = $1 AND receivable_id = ANY ($2)',
    [clientId, receivableIds],
  )
}

/** The clients of a merchant whose next appointments come first. */
export async function nextClients(
  db: Queryable,
  merchantId: UserId,
  most: number,
): Promise<readonly ClientId[]> {
  const rows = await allRows(
    db,
    z.object({ clientId: z.string() }),
    `SELECT client_id AS "clientId" FROM app.client_appointment
     WHERE merchant_id = $1 AND due_at IS NOT NULL ORDER BY due_at, client_id LIMIT $2`,
    [merchantId, most],
  )
  return rows.map(({ clientId }) => parseClientId(clientId))
}
