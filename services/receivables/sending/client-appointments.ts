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
import { instantColumn } from '#services/foundation/columns'
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

const dueMerchantRow = z.object({
  merchantId: z.string().transform(parseUserId),
  clients: z.int(),
})
type DueMerchant = Readonly<z.infer<typeof dueMerchantRow>>

/** The merchants that have due appointments, with their number. `now`: of the business clock. */
export async function dueMerchants(db: Queryable, now: Date): Promise<readonly DueMerchant[]> {
  return allRows(
    db,
    dueMerchantRow,
    `SELECT merchant_id AS "merchantId", count(*)::integer AS clients FROM app.client_appointment
     WHERE due_at <= $1 AND next_attempt_at <= now() GROUP BY merchant_id`,
    [now],
  )
}

const claimedRow = z.object({
  clientId: z.string().transform(parseClientId),
  attempts: z.int(),
  version: z.int(),
})
/** An appointment that this process keeps. `attempts`: failed ones in a row. */
export type Claimed = Readonly<z.infer<typeof claimedRow>>

const claimedDue = `SELECT client_id AS "clientId", attempts, version
     FROM app.client_appointment JOIN app.client_turn USING (client_id)
     WHERE due_at <= $2 AND next_attempt_at <= now()`

/**
 * The merchant's next due appointments. `tx`: a `turnTransaction`. Holds the turns of the clients
 * until it ends, so that no other process looks after them meanwhile.
 */
export async function claimDue(
  tx: Queryable,
  merchantId: UserId,
  now: Date,
  max: number,
): Promise<readonly Claimed[]> {
  return allRows(
    tx,
    claimedRow,
    `${claimedDue} AND merchant_id = $1
     ORDER BY due_at, client_id LIMIT $3 FOR UPDATE OF client_turn SKIP LOCKED`,
    [merchantId, now, max],
  )
}

/** As `claimDue`, of one client. Null: it is not due any more, or another process has its turn. */
export async function claimClient(
  tx: Queryable,
  clientId: ClientId,
  now: Date,
): Promise<Claimed | null> {
  const claimed = await firstRow(
    tx,
    claimedRow,
    `${claimedDue} AND client_id = $1 FOR UPDATE OF client_turn SKIP LOCKED`,
    [clientId, now],
  )
  return claimed ?? null
}

/** Takes the turn of a client that has an appointment, after a process that has it. */
export async function takeClientTurn(tx: Queryable, clientId: ClientId): Promise<void> {
  await tx.query('SELECT FROM app.client_turn WHERE client_id = $1 FOR UPDATE', [clientId])
}

/** What a look at a client found. */
export interface Kept {
  readonly claimed: Claimed
  /** The next appointment. Null: nothing is to come. */
  readonly dueAt: Instant | null
  /** Receivables of which nothing is owed. */
  readonly settled: readonly string[]
}

const keptRow = z.object({ clientId: z.string(), isNewer: z.boolean() })

/**
 * Puts off the appointments. An event since the claim keeps its own. Receivables of which nothing
 * is owed are not read again until an event of theirs comes: the row locks of the appointments keep
 * later events waiting meanwhile.
 */
export async function keepAll(tx: Queryable, kept: readonly Kept[]): Promise<void> {
  if (kept.length === 0) return
  const rows = await allRows(
    tx,
    keptRow,
    `WITH given AS (
       SELECT * FROM unnest($1::text[], $2::integer[], $3::timestamptz[]) AS each (client_id, version, due_at)
     ), locked AS (
       SELECT client_id FROM app.client_appointment WHERE client_id = ANY ($1)
       ORDER BY client_id FOR UPDATE
     )
     UPDATE app.client_appointment AS known
     SET due_at = CASE WHEN known.version = given.version THEN given.due_at
                       ELSE LEAST(known.due_at, given.due_at) END,
       attempts = 0, last_error = NULL, next_attempt_at = now()
     FROM given JOIN locked USING (client_id)
     WHERE known.client_id = given.client_id
     RETURNING known.client_id AS "clientId", known.version <> given.version AS "isNewer"`,
    [
      kept.map(({ claimed }) => claimed.clientId),
      kept.map(({ claimed }) => claimed.version),
      kept.map(({ dueAt }) => dueAt),
    ],
  )
  const newer = new Set(rows.filter(({ isNewer }) => isNewer).map(({ clientId }) => clientId))
  const settled = kept
    .filter(({ claimed }) => !newer.has(claimed.clientId))
    .flatMap(({ claimed: { clientId }, settled }) => settled.map((id) => ({ clientId, id })))
  if (settled.length === 0) return
  await tx.query(
    `UPDATE app.client_receivable SET may_be_owed = false
     WHERE (client_id, receivable_id) IN (SELECT * FROM unnest($1::text[], $2::text[]))`,
    [settled.map(({ clientId }) => clientId), settled.map(({ id }) => id)],
  )
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

/** The appointment stays due until the server takes messages again. It is no failed try. */
export async function waitForServer(
  tx: Queryable,
  clientId: ClientId,
  delayMs: number,
): Promise<void> {
  await tx.query(
    `UPDATE app.client_appointment SET last_error = 'The server takes no messages now.',
       next_attempt_at = clock_timestamp() + make_interval(secs => $2::float8 / 1000)
     WHERE client_id = $1`,
    [clientId, delayMs],
  )
}

/**
 * Keeps all appointments waiting until an operator releases them: what was sent to the clients is
 * not known. Clients that come later have theirs. Returns how many wait.
 */
export async function holdAppointments(tx: Queryable, why: string): Promise<number> {
  const held = await allRows(
    tx,
    heldRow,
    `UPDATE app.client_appointment SET next_attempt_at = 'infinity', last_error = $1
     RETURNING client_id AS "clientId"`,
    [why],
  )
  return held.length
}

/** Returns how many waited for an operator. */
export async function releaseAppointments(db: Queryable): Promise<number> {
  const released = await allRows(
    db,
    heldRow,
    `UPDATE app.client_appointment SET next_attempt_at = now(), last_error = NULL
     WHERE next_attempt_at = 'infinity' RETURNING client_id AS "clientId"`,
    [],
  )
  return released.length
}

const heldRow = z.object({ clientId: z.string() })

/** The client was erased, or its import was undone. */
export async function forgetClient(tx: Queryable, clientId: ClientId): Promise<void> {
  await tx.query('DELETE FROM app.client_receivable WHERE client_id = $1', [clientId])
  await tx.query('DELETE FROM app.client_appointment WHERE client_id = $1', [clientId])
  await tx.query('DELETE FROM app.client_turn WHERE client_id = $1', [clientId])
}

const receivableRow = z.object({
  clientId: z.string(),
  receivableId: z.string().transform(parseReceivableId),
})

/** For each client, its receivables that may be owed. */
export async function owedBy(
  db: Queryable,
  clientIds: readonly ClientId[],
): Promise<readonly (readonly ReceivableId[])[]> {
  const rows = await allRows(
    db,
    receivableRow,
    `SELECT client_id AS "clientId", receivable_id AS "receivableId" FROM app.client_receivable
     WHERE client_id = ANY ($1) AND may_be_owed ORDER BY client_id, receivable_id`,
    [clientIds],
  )
  return clientIds.map((clientId) =>
    rows.filter((row) => row.clientId === clientId).map(({ receivableId }) => receivableId),
  )
}

const nextRow = z.object({ clientId: z.string().transform(parseClientId), dueAt: instantColumn })

/** The clients of a merchant whose next appointments come before `until`, in the order of time. */
export async function nextClients(
  db: Queryable,
  merchantId: UserId,
  max: number,
  until: Instant,
): Promise<readonly { readonly clientId: ClientId; readonly dueAt: Instant }[]> {
  return allRows(
    db,
    nextRow,
    `SELECT client_id AS "clientId", due_at AS "dueAt" FROM app.client_appointment
     WHERE merchant_id = $1 AND due_at < $3 ORDER BY due_at, client_id LIMIT $2`,
    [merchantId, max, until],
  )
}
