import type { Pool, PoolClient } from 'pg'
import type { CausingRequest } from '../webhooks/emit.ts'
import {
  durableTransaction,
  onConnectionOf,
  snapshotTransaction,
} from '#services/postgres/transaction'
import { saveLatestTime, readClock } from './clock.ts'
import {
  writeTransaction,
  readTransaction,
  type Transaction,
  type ReadTransaction,
  type WebhookTargets,
} from './transaction.ts'

/**
 * The sandbox's state, seen from the platform first. A read sees one snapshot. Changes run one at a
 * time and are durable when they resolve.
 */
export interface Store {
  read<T>(look: (tx: ReadTransaction, client: PoolClient) => Promise<T>): Promise<T>
  change<T>(work: (tx: Transaction) => Promise<T>, request?: CausingRequest): Promise<T>
  /** Called after every change that became durable. */
  onChange(listener: () => void): void
  /** Resolves when no change is in progress. Later changes are refused. */
  close(): Promise<void>
}

export function createStore(
  pool: Pool,
  settings: { readonly sendsWebhooks: WebhookTargets; readonly ownUrl: () => string },
): Store {
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
      onConnectionOf(pool, snapshotTransaction, async (client) =>
        look(readTransaction(client, toSeconds(await readClock(client)), null), client),
      ),
    change: (work, request) =>
      inTurn(async () => {
        const result = await onConnectionOf(pool, durableTransaction, async (client) => {
          const clock = await readClock(client)
          await saveLatestTime(client, clock)
          return work(
            writeTransaction(client, {
              ...settings,
              now: toSeconds(clock),
              account: null,
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
