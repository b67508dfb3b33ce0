import type { Pool, PoolClient } from 'pg'
import type { CausingRequest } from '../webhooks/emit.ts'
import { saveLatestTime, readClock } from './clock.ts'
import {
  writeTransaction,
  readTransaction,
  type Transaction,
  type ReadTransaction,
} from './transaction.ts'

/** The sandbox's state. A read sees one snapshot. Changes run one at a time and are durable when they resolve. */
export interface Store {
  read<T>(look: (tx: ReadTransaction, client: PoolClient) => Promise<T>): Promise<T>
  change<T>(work: (tx: Transaction) => Promise<T>, request?: CausingRequest): Promise<T>
  /** Called after every change that became durable. */
  onChange(listener: () => void): void
  /** Resolves when no change is in progress. Later changes are refused. */
  close(): Promise<void>
}

export function createStore(pool: Pool, settings: { readonly sendsWebhooks: boolean }): Store {
  const listeners: (() => void)[] = []
  let last: Promise<unknown> = Promise.resolve()
  let isClosed = false

  /** Changes run one after another, which makes concurrent changes impossible. */
  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (isClosed) throw new Error('The sandbox is stopping. Try again after its next start.')
    const turn = last.then(work)
    last = turn.catch(() => undefined)
    return turn
  }

  return {
    read: (look) =>
      inTransaction(pool, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', async (client) =>
        look(readTransaction(client, toSeconds(await readClock(client))), client),
      ),
    change: (work, request) =>
      inTurn(async () => {
        const result = await inTransaction(pool, 'BEGIN', async (client) => {
          const clock = await readClock(client)
          await saveLatestTime(client, clock)
          return work(
            writeTransaction(client, {
              ...settings,
              now: toSeconds(clock),
              request: request ?? null,
            }),
          )
        })
        for (const listener of listeners) listener()
        return result
      }),
    onChange: (listener) => {
      listeners.push(listener)
    },
    close: async () => {
      isClosed = true
      await last
    },
  }
}

function toSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000)
}

async function inTransaction<T>(
  pool: Pool,
  begin: string,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect()
  // A connection may break between two queries: without a listener the process would end. The next query fails with the reason.
  const broken = (): void => undefined
  client.on('error', broken)
  let isUsable = true
  try {
    await client.query(begin)
    const result = await work(client)
    await client.query('COMMIT')
    return result
  } catch (error) {
    // If the rollback fails, the pool discards the connection.
    isUsable = await client.query('ROLLBACK').then(
      () => true,
      () => false,
    )
    throw error
  } finally {
    client.off('error', broken)
    client.release(!isUsable)
  }
}
