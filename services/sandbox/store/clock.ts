import type { PoolClient } from 'pg'

/**
 * The sandbox's clock: real time plus an offset that only grows, and never behind the last moment
 * it was seen at. Milliseconds since 1970.
 */
export async function readClock(client: Pick<PoolClient, 'query'>): Promise<number> {
  const { rows } = await client.query<{ clock_offset_ms: string; latest_ms: string }>(
    'SELECT clock_offset_ms, latest_ms FROM sandbox.settings',
  )
  const [row] = rows
  if (!row)
    throw new Error(
      'sandbox.settings has no row: the clock is lost. Drop the sandbox database and start again.',
    )
  return Math.max(Date.now() + Number(row.clock_offset_ms), Number(row.latest_ms))
}

/** Within a change: remembers this moment, so that no later one lies before it. */
export async function keepClock(client: Pick<PoolClient, 'query'>, now: number): Promise<void> {
  await client.query('UPDATE sandbox.settings SET latest_ms = greatest(latest_ms, $1)', [now])
}

/** Within a change: sets the clock forward to this moment; an earlier one leaves it where it is. */
export async function setClockForward(
  client: Pick<PoolClient, 'query'>,
  to: number,
): Promise<void> {
  await client.query(
    'UPDATE sandbox.settings SET clock_offset_ms = greatest(clock_offset_ms, $1), latest_ms = greatest(latest_ms, $2)',
    [Math.ceil(to - Date.now()), to],
  )
}
