import type { PoolClient } from 'pg'
import { z } from 'zod'
import { allRows, firstRow } from '#services/foundation/rows'
import { scheduleWebhook, stripeEvent, type CausingRequest } from '../webhooks/emit.ts'
import { dueAt } from './due-at.ts'
import { listSql, type ListQuery } from './list-query.ts'
import { objectRow } from './stored-object.ts'
import type { EventType, Kind, StripeObject, StripeObjects } from './stripe-objects.ts'

/**
 * One Stripe account as one transaction sees it: the platform, or a connected account. `now` is the
 * sandbox's clock in seconds, fixed for the transaction.
 */
export interface ReadTransaction {
  readonly now: number
  /** The connected account whose objects this transaction sees; null is the platform. */
  readonly account: string | null
  /** The same transaction on another account; null is the platform. */
  on(account: string | null): ReadTransaction
  /** The account that has an object, and its kind; null if no account has it. */
  ownerOf(id: string): Promise<Owner | null>
  find<K extends Kind>(kind: K, id: string): Promise<StripeObjects[K] | null>
  /** Newest first. */
  list<K extends Kind>(kind: K, query: ListQuery): Promise<StripeObjects[K][]>
}

/**
 * A transaction that changes the account. No reader, webhook or answer contains its changes before
 * they are durable.
 */
export interface Transaction extends ReadTransaction {
  /** Saves a new object. */
  add(object: StripeObject): Promise<void>
  /** Saves the new state of an existing object. */
  save(object: StripeObject): Promise<void>
  /**
   * Saves an event with a copy of the object and schedules its webhook. With the object before the
   * change, the event has the old values of the changed fields.
   */
  emit(type: EventType, object: object, before?: object): Promise<void>
  /** The same transaction with another time, in seconds. */
  at(now: number): Transaction
  on(account: string | null): Transaction
  /** The sandbox's other tables, in the same transaction. */
  readonly client: PoolClient
  /** The URL of the sandbox's pages, without a slash at the end. */
  readonly ownUrl: string
}

interface Owner {
  /** Null is the platform. */
  readonly account: string | null
  readonly kind: string
}

/** Which webhooks have an endpoint: those of the platform, and those of connected accounts. */
export interface WebhookTargets {
  readonly platform: boolean
  readonly connect: boolean
}

const ownerRow = z.object({ account: z.string(), kind: z.string() })

/** The column of an account: the platform's objects have the empty text. */
export function accountColumn(account: string | null): string {
  return account ?? ''
}

export interface TransactionContext {
  readonly now: number
  readonly account: string | null
  readonly sendsWebhooks: WebhookTargets
  readonly ownUrl: () => string
  readonly request: CausingRequest | null
}

export function readTransaction(
  client: PoolClient,
  now: number,
  account: string | null,
): ReadTransaction {
  return {
    now,
    account,
    on: (other) => readTransaction(client, now, other),
    ownerOf: async (id) => {
      const row = await firstRow(
        client,
        ownerRow,
        'SELECT account, kind FROM sandbox.object WHERE id = $1',
        [id],
      )
      return row === undefined ? null : { account: row.account || null, kind: row.kind }
    },
    find: async <K extends Kind>(kind: K, id: string) => {
      const row = await firstRow(
        client,
        objectRow(kind),
        'SELECT data FROM sandbox.object WHERE id = $1 AND kind = $2 AND account = $3',
        [id, kind, accountColumn(account)],
      )
      return row?.data ?? null
    },
    list: async <K extends Kind>(kind: K, query: ListQuery) => {
      const rows = await allRows(
        client,
        objectRow(kind),
        listSql(accountColumn(account), kind, query),
      )
      return rows.map((row) => row.data)
    },
  }
}

const accessRow = z.object({ isConnected: z.boolean() })

/** The last event of an account that the platform receives is the loss of its access. */
async function sendsWebhook(
  client: PoolClient,
  { account, sendsWebhooks }: TransactionContext,
  type: EventType,
): Promise<boolean> {
  if (account === null) return sendsWebhooks.platform
  if (!sendsWebhooks.connect || type === 'account.application.deauthorized')
    return sendsWebhooks.connect
  const row = await firstRow(
    client,
    accessRow,
    `SELECT (data #>> '{sandbox,isConnected}')::boolean AS "isConnected" FROM sandbox.object WHERE id = $1`,
    [account],
  )
  return row?.isConnected === true
}

export function writeTransaction(client: PoolClient, context: TransactionContext): Transaction {
  const add = async (object: StripeObject): Promise<void> => {
    await client.query(
      'INSERT INTO sandbox.object (id, kind, data, due_at, account) VALUES ($1, $2, $3, $4, $5)',
      [
        object.id,
        object.object,
        JSON.stringify(object),
        dueAt(object),
        accountColumn(context.account),
      ],
    )
  }
  return {
    ...readTransaction(client, context.now, context.account),
    client,
    ownUrl: context.ownUrl(),
    add,
    save: async (object) => {
      const { rowCount } = await client.query(
        'UPDATE sandbox.object SET data = $2, due_at = $3 WHERE id = $1 AND account = $4',
        [object.id, JSON.stringify(object), dueAt(object), accountColumn(context.account)],
      )
      if (rowCount !== 1)
        throw new Error(
          `The ${object.object} ${String(object.id)} cannot be saved: it does not exist. Create it first.`,
        )
    },
    emit: async (type, object, before) => {
      const event = stripeEvent(type, object, context, before)
      const isSent = await sendsWebhook(client, context, type)
      await add({ ...event, pending_webhooks: isSent ? 1 : 0 })
      if (isSent) await scheduleWebhook(client, event.id)
    },
    at: (now) => writeTransaction(client, { ...context, now }),
    on: (account) => writeTransaction(client, { ...context, account }),
  }
}
