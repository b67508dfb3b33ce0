import type { PoolClient } from 'pg'

/**
 * The sandbox's clock, in milliseconds since 1970: real time plus an offset that only grows. The
 * result is never earlier than the latest saved time.
 */
export async function readClock(client: Pick<PoolClient, 'query'>): Promise<number> {
  const { rows } = await client.query<{ clock_offset_ms: string; latest_ms: string }>(
    'SELECT clock_offset_ms, latest_ms FROM sandbox.settings',
  )
  const [row] = rows
  if (!row)
    throw new Error(
      'The table sandbox.settings has no row, so the clock is unknown. Drop the sandbox database and start again.',
    )
  return Math.max(Date.now() + Number(row.clock_offset_ms), Number(row.latest_ms))
}

/** Within a change: saves this time, so that no later reading is earlier. */
export async function saveLatestTime(
  client: Pick<PoolClient, 'query'>,
  now: number,
): Promise<void> {
  await client.query('UPDATE sandbox.settings SET latest_ms = greatest(latest_ms, $1)', [now])
}

/** Within a change: sets the clock forward to this time. An earlier time has no effect. */
export async function setClockForward(
  client: Pick<PoolClient, 'query'>,
  to: number,
): Promise<void> {
  await client.query(
    'UPDATE sandbox.settings SET clock_offset_ms = greatest(clock_offset_ms, $1), latest_ms = greatest(latest_ms, $2)',
    [Math.ceil(to - Date.now()), to],
  )
}
