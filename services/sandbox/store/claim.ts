import { Client } from 'pg'
import { growingPauses } from '#services/foundation/growing-pauses'
import { sleep } from '#services/foundation/repeat'
import { DatabaseRefusal, StartupError } from '../startup-error.ts'

const claimKey = 7_310_254_001

export interface Claim {
  release(): Promise<void>
}

/**
 * Makes the database this process's alone, since time and webhooks are run by one process. A
 * predecessor that was killed may take a moment to go, so the claim is tried for `timeoutMs`.
 * When the server goes away and comes back the claim is taken again; `onTaken` hears that another
 * process was faster. Throws a StartupError.
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
    const pauses = growingPauses({ firstMs: 500, longestMs: 5_000 })
    while (!released.signal.aborted) {
      await sleep(pauses.next(), released.signal)
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
      'Stop it, or give this one its own SANDBOX_DATABASE_URL.',
    )
  }
}

/** Leaves no connection behind when it throws. */
async function claimWithin(
  connectionString: string,
  milliseconds: number,
  released: AbortSignal,
): Promise<Client> {
  const client = new Client({ connectionString, keepAlive: true, connectionTimeoutMillis: 10_000 })
  // A connection that breaks says so by its end and by the query that fails.
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
    const giveUpAt = Date.now() + milliseconds
    while (!(await tryClaim(client))) {
      if (Date.now() > giveUpAt) throw new DatabaseTaken()
      await sleep(100, released)
      if (released.aborted)
        throw new StartupError('The sandbox was stopped while it waited for its database.')
    }
    return client
  } catch (error) {
    await client.end()
    throw error
  }
}

async function tryClaim(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ claimed: boolean }>(
    'SELECT pg_try_advisory_lock($1) AS claimed',
    [claimKey],
  )
  return rows[0]?.claimed === true
}
