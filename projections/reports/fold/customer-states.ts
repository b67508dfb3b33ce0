import { z } from 'zod'
import type { FailedInvoices } from '#services/finance/failed-payments/fold-failed-payments'
import type { Refunds } from '#services/finance/refunds/fold-refunds'
import {
  noSubscriptions,
  type SubscriptionsState,
} from '#services/finance/subscriptions/fold-subscriptions'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'

/** What the rules remember of a customer, without the books. The rules change it. */
export interface CustomerState {
  readonly subscriptions: SubscriptionsState
  readonly invoices: FailedInvoices
  readonly refunds: Refunds
}

type Entries<Kept> = Kept extends Map<infer Key, infer Value> ? readonly [Key, Value][] : never

interface StoredState {
  readonly subscriptions: Entries<SubscriptionsState['subscriptions']>
  readonly customers: Entries<SubscriptionsState['customers']>
  readonly invoices: Entries<FailedInvoices>
  readonly refunds: Entries<Refunds>
}

const stateRow = z.object({ user_id: z.string(), state: z.string() })

export interface CustomerStates {
  of(userId: string): CustomerState
  /** Writes the states that changed. */
  save(): Promise<void>
}

/** The states of these customers. A customer without a row has an empty state. */
export async function loadCustomerStates(
  tx: Queryable,
  schema: string,
  userIds: readonly string[],
): Promise<CustomerStates> {
  const rows = await allRows(
    tx,
    stateRow,
    `SELECT user_id, state FROM ${schema}.customer WHERE user_id = ANY ($1)`,
    [userIds],
  )
  const stored = new Map(rows.map(({ user_id, state }) => [user_id, state]))
  const states = new Map<string, CustomerState>()
  return {
    of(userId) {
      const state = states.get(userId) ?? parseState(stored.get(userId))
      states.set(userId, state)
      return state
    },
    async save() {
      const changed = [...states]
        .map(([userId, state]) => ({ userId, text: textOf(state) }))
        .filter(({ userId, text }) => text !== (stored.get(userId) ?? emptyText))
      if (changed.length === 0) return
      await tx.query(
        `INSERT INTO ${schema}.customer (user_id, state) SELECT * FROM unnest($1::text[], $2::text[])
         ON CONFLICT (user_id) DO UPDATE SET state = excluded.state`,
        [changed.map(({ userId }) => userId), changed.map(({ text }) => text)],
      )
    },
  }
}

function emptyState(): CustomerState {
  return { subscriptions: noSubscriptions(), invoices: new Map(), refunds: new Map() }
}

function parseState(text: string | undefined): CustomerState {
  if (text === undefined) return emptyState()
  // The same version of the read model wrote it: only the rules of finance know its shape.
  const { subscriptions, customers, invoices, refunds } = JSON.parse(text) as StoredState
  return {
    subscriptions: { subscriptions: new Map(subscriptions), customers: new Map(customers) },
    invoices: new Map(invoices),
    refunds: new Map(refunds),
  }
}

function textOf({ subscriptions, invoices, refunds }: CustomerState): string {
  const stored: StoredState = {
    subscriptions: [...subscriptions.subscriptions],
    customers: [...subscriptions.customers],
    invoices: [...invoices],
    refunds: [...refunds],
  }
  return JSON.stringify(stored)
}

const emptyText = textOf(emptyState())
