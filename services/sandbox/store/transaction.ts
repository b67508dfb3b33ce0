import type { PoolClient } from 'pg'
import { oweWebhook, stripeEvent, type CausingRequest } from '../webhooks/emit.ts'
import { dueAt } from './due-at.ts'
import { listSql, type ListQuery } from './list-query.ts'
import type { EventType, Kind, StripeObject, StripeObjects } from './stripe-objects.ts'

/** The Stripe account as one transaction sees it. `now` is the sandbox's clock in seconds, fixed for the transaction. */
export interface ReadTransaction {
  readonly now: number
  find<K extends Kind>(kind: K, id: string): Promise<StripeObjects[K] | null>
  /** Newest first. */
  list<K extends Kind>(kind: K, query: ListQuery): Promise<StripeObjects[K][]>
}

/** The same, to be changed. Nothing of it is seen, sent or answered before the transaction is durable. */
export interface Transaction extends ReadTransaction {
  /** Keeps a new object. */
  add(object: StripeObject): Promise<void>
  /** Keeps the new state of an object that is there. */
  save(object: StripeObject): Promise<void>
  /** Tells the product: keeps an event with a copy of the object, and owes its webhook. */
  emit(type: EventType, object: object, previous?: object): Promise<void>
  /** The same transaction at another moment. */
  at(now: number): Transaction
  /** The sandbox's other tables, in the same transaction. */
  readonly client: PoolClient
}

export interface Circumstances {
  readonly now: number
  readonly sendsWebhooks: boolean
  readonly request: CausingRequest | null
}

export function readTransaction(client: PoolClient, now: number): ReadTransaction {
  return {
    now,
    find: async <K extends Kind>(kind: K, id: string) => {
      const { rows } = await client.query<{ data: StripeObjects[K] }>(
        'SELECT data FROM sandbox.object WHERE id = $1 AND kind = $2',
        [id, kind],
      )
      return rows[0]?.data ?? null
    },
    list: async <K extends Kind>(kind: K, query: ListQuery) => {
      const { rows } = await client.query<{ data: StripeObjects[K] }>(listSql(kind, query))
      return rows.map((row) => row.data)
    },
  }
}

export function writeTransaction(client: PoolClient, circumstances: Circumstances): Transaction {
  const add = async (object: StripeObject): Promise<void> => {
    await client.query(
      'INSERT INTO sandbox.object (id, kind, data, due_at) VALUES ($1, $2, $3, $4)',
      [object.id, object.object, JSON.stringify(object), dueAt(object)],
    )
  }
  return {
    ...readTransaction(client, circumstances.now),
    client,
    add,
    save: async (object) => {
      const { rowCount } = await client.query(
        'UPDATE sandbox.object SET data = $2, due_at = $3 WHERE id = $1',
        [object.id, JSON.stringify(object), dueAt(object)],
      )
      if (rowCount !== 1)
        throw new Error(
          `The ${object.object} ${String(object.id)} cannot be saved: it was never added.`,
        )
    },
    emit: async (type, object, previous) => {
      const event = stripeEvent(type, object, circumstances.now, circumstances.request, previous)
      await add({ ...event, pending_webhooks: circumstances.sendsWebhooks ? 1 : 0 })
      if (circumstances.sendsWebhooks) await oweWebhook(client, event.id)
    },
    at: (now) => writeTransaction(client, { ...circumstances, now }),
  }
}
