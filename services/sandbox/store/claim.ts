import { Client } from 'pg'
import { z } from 'zod'
import { createBackoff } from '#services/foundation/backoff'
import { sleep } from '#services/foundation/sleep'
import { oneRow } from '#services/foundation/rows'
import { StartupError } from '#services/foundation/startup-error'
import { connectionLimits } from './connection-limits.ts'
import { DatabaseRefusal } from './database-refusal.ts'

const claimKey = 7_310_254_001
const claimRow = z.object({ claimed: z.boolean() })

export interface Claim {
  release(): Promise<void>
}

/**
 * Claims the database for this process, because one process must apply due changes and send
 * webhooks. The connection of a killed predecessor may end late, so claiming retries for
 * `timeoutMs`. If the connection breaks, the claim is made again; `onTaken` is called if another
 * process has it.
 * @throws StartupError
 */
export async function claimDatabase(
  connectionString: string,
  timeoutMs: number,
  onTaken: (error: StartupError) => void,
): Promise<Claim> {
  const released = new AbortController()
  let holder: Client | null = null
  let reclaiming: Promise<void> | null = null
  hold(await claimWithin(connectionString, timeoutMs, released.signal))

  function hold(client: Client): void {
    holder = client
    client.once('end', () => {
      holder = null
      if (!released.signal.aborted) reclaiming = reclaim()
    })
  }

  async function reclaim(): Promise<void> {
    const backoff = createBackoff({ firstMs: 500, longestMs: 5_000 })
    while (!released.signal.aborted) {
      await sleep(backoff.next(), released.signal)
      if (released.signal.aborted) return
      try {
        return hold(await claimWithin(connectionString, timeoutMs, released.signal))
      } catch (error) {
        if (error instanceof DatabaseTaken) return onTaken(error)
      }
    }
  }

  return {
    release: async () => {
      released.abort()
      await reclaiming
      await holder?.end()
    },
  }
}

class DatabaseTaken extends DatabaseRefusal {
  constructor() {
    super(
      'Another sandbox is running on this database.',
      'taken',
      'Stop the other sandbox, or set SANDBOX_DATABASE_URL to another database.',
    )
  }
}

/** Closes its connection before it throws. */
async function claimWithin(
  connectionString: string,
  milliseconds: number,
  released: AbortSignal,
): Promise<Client> {
  const client = new Client({ connectionString, keepAlive: true, ...connectionLimits })
  // The `end` event and the failing query report a broken connection.
  client.on('error', () => undefined)
  try {
    await client.connect()
  } catch (error) {
    const reason = error instanceof Error && error.message !== '' ? error.message : String(error)
    throw new DatabaseRefusal(
      `The sandbox cannot reach its database (${reason}).`,
      'unreachable',
      'Check SANDBOX_DATABASE_URL.',
    )
  }
  try {
    const deadline = Date.now() + milliseconds
    while (!(await tryClaim(client))) {
      if (Date.now() > deadline) throw new DatabaseTaken()
      await sleep(100, released)
      if (released.aborted)
        throw new StartupError(
          'The sandbox was stopped while it waited for its database. Start it again.',
        )
    }
    return client
  } catch (error) {
    await client.end()
    throw error
  }
}

async function tryClaim(client: Client): Promise<boolean> {
  const { claimed } = await oneRow(client, claimRow, 'SELECT pg_try_advisory_lock($1) AS claimed', [
    claimKey,
  ])
  return claimed
}
