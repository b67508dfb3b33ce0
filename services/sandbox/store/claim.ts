import { Client } from 'pg'
import { StartupError } from '../startup-error.ts'

const claimKey = 7_310_254_001
const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds))

export interface Claim {
  release(): Promise<void>
}

/**
 * Makes the database this process's alone, since time and webhooks are run by one process. A
 * predecessor that was killed may take a moment to go, so the claim is tried for `patienceMs`.
 * When the server goes away and comes back the claim is taken again; `onTaken` hears that another
 * process was faster. Throws a StartupError.
 */
export async function claimDatabase(connectionString: string, patienceMs: number, onTaken: (error: StartupError) => void): Promise<Claim> {
  let isReleased = false
  let holder = await claimWithin(connectionString, patienceMs, hold)

  function hold(client: Client): void {
    client.on('error', () => {
      if (!isReleased) void reclaim()
    })
  }

  async function reclaim(): Promise<void> {
    while (!isReleased) {
      await pause(500)
      try {
        holder = await claimWithin(connectionString, patienceMs, hold)
        return
      } catch (error) {
        if (error instanceof DatabaseTaken) return onTaken(error)
      }
    }
  }

  return {
    release: async () => {
      isReleased = true
      await holder.end()
    },
  }
}

class DatabaseTaken extends StartupError {
  constructor() {
    super('Another sandbox is running on this database. Stop it, or give this one its own SANDBOX_DATABASE_URL.')
  }
}

async function claimWithin(connectionString: string, milliseconds: number, hold: (client: Client) => void): Promise<Client> {
  const client = new Client({ connectionString, keepAlive: true })
  hold(client)
  try {
    await client.connect()
  } catch (error) {
    const reason = error instanceof Error && error.message !== '' ? error.message : String(error)
    throw new StartupError(`The sandbox cannot reach its database (${reason}). Check SANDBOX_DATABASE_URL.`)
  }
  const giveUpAt = Date.now() + milliseconds
  while (!(await tryClaim(client))) {
    if (Date.now() > giveUpAt) {
      await client.end()
      throw new DatabaseTaken()
    }
    await pause(100)
  }
  return client
}

async function tryClaim(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ claimed: boolean }>('SELECT pg_try_advisory_lock($1) AS claimed', [claimKey])
  return rows[0]?.claimed === true
}
