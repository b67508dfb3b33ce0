import { z } from 'zod'
import { integerColumn } from '#services/foundation/columns'
import type { Queryable } from '#services/foundation/queryable'
import { firstRow } from '#services/foundation/rows'
import { DamagedStore } from './damaged-store.ts'

const settingsRow = z.object({ clock_offset_ms: integerColumn, latest_ms: integerColumn })

/** A later saved time comes from a system's time that was wrong and was corrected since. */
const longestCorrectionMs = 3_600_000

/**
 * The sandbox's clock, in milliseconds since 1970: real time plus an offset that only grows. The
 * result is not earlier than the latest saved time, unless that time is more than 1 hour ahead: the
 * system's time was wrong when it was saved. A tester's advance is in the offset.
 */
export async function readClock(client: Queryable): Promise<number> {
  const row = await firstRow(
    client,
    settingsRow,
    'SELECT clock_offset_ms, latest_ms FROM sandbox.settings',
  )
  if (!row)
    throw new DamagedStore('The table sandbox.settings has no row, so the clock is unknown.')
  const now = Date.now() + row.clock_offset_ms
  return row.latest_ms - now > longestCorrectionMs ? now : Math.max(now, row.latest_ms)
}

/** Within a change: saves this time, so that no later reading is earlier. */
export async function saveLatestTime(client: Queryable, now: number): Promise<void> {
  await client.query('UPDATE sandbox.settings SET latest_ms = greatest(latest_ms, $1)', [now])
}

/** Within a change: sets the clock forward to this time. An earlier time has no effect. */
export async function setClockForward(client: Queryable, to: number): Promise<void> {
  await client.query(
    'UPDATE sandbox.settings SET clock_offset_ms = greatest(clock_offset_ms, $1), latest_ms = greatest(latest_ms, $2)',
    [Math.ceil(to - Date.now()), to],
  )
}
