import { z } from 'zod'
import type { Passkey } from '#services/administrators/administrators-state'
import { instantColumn, integerColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'
import type { Instant } from '#contracts/instant'

/** The last sign-in with a passkey. */
export interface PasskeyUse {
  readonly counter: number
  readonly usedAt: Instant
}

const useRow = z.object({
  passkey_id: z.string(),
  counter: integerColumn,
  used_at: instantColumn,
})
const writtenRow = z.object({ passkey_id: z.string() })

/**
 * Whether the counter of a sign-in is right after the last known one. An authenticator that does
 * not count, as those whose passkeys are on several devices, always reports 0. Otherwise each
 * sign-in raises the counter: if it does not, a copy of the authenticator may have signed.
 */
export function counterRises(known: number, reported: number): boolean {
  return reported > known || (known === 0 && reported === 0)
}

/** The highest counter that is known: of the last sign-in, or of the addition. */
export function knownCounter(passkey: Passkey, use: PasskeyUse | undefined): number {
  return Math.max(passkey.counter, use?.counter ?? 0)
}

/** The last uses by passkey. A passkey that was not used since it was added is missing. */
export async function passkeyUses(
  db: Queryable,
  passkeyIds: readonly string[],
): Promise<ReadonlyMap<string, PasskeyUse>> {
  const rows = await allRows(
    db,
    useRow,
    'SELECT passkey_id, counter, used_at FROM app.passkey_use WHERE passkey_id = ANY ($1)',
    [passkeyIds],
  )
  return new Map(
    rows.map(({ passkey_id, counter, used_at }) => [passkey_id, { counter, usedAt: used_at }]),
  )
}

/**
 * Stores the counter of a sign-in, in the transaction `tx` that stores its session. False if
 * another sign-in has raised the counter meanwhile: of two copies that sign in at once, one does.
 */
export async function raiseCounter(
  tx: Queryable,
  passkeyId: string,
  { counter, usedAt }: PasskeyUse,
): Promise<boolean> {
  const written = await allRows(
    tx,
    writtenRow,
    `INSERT INTO app.passkey_use AS known (passkey_id, counter, used_at) VALUES ($1, $2, $3)
     ON CONFLICT (passkey_id) DO UPDATE SET counter = excluded.counter, used_at = excluded.used_at
     WHERE excluded.counter > known.counter OR (excluded.counter = 0 AND known.counter = 0)
     RETURNING passkey_id`,
    [passkeyId, counter, usedAt],
  )
  return written.length === 1
}
