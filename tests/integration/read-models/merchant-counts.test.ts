import { describe, expect, it } from '@jest/globals'
import type { ClientEvent } from '#contracts/events/client'
import type { ReceivableEvent } from '#contracts/events/receivable'
import { adminUsersQuery } from '#contracts/admin/users'
import { listPage } from '#projections/listing/list-page'
import { merchantCounts } from '#projections/receivables/queries/merchant-counts'
import { receivables } from '#projections/receivables/read-model'
import { adminUserById, adminUserFrom } from '#projections/users/queries/one-user'
import { createUsersList } from '#projections/users/queries/list-users'
import { users } from '#projections/users/read-model'
import { accountOpened, recorded } from '../../support/data/events.ts'
import { samplePayloads } from '../../support/data/sample-payloads.ts'
import { sharedReadModelFixture } from '../../support/projections/shared-read-model-fixture.ts'

const db = sharedReadModelFixture()
const merchantId = 'usr_alder'

/** The events of one merchant, in the order in which they are recorded. */
function story() {
  const revisions = new Map<string, number>()
  const next = (stream: string) => {
    const revision = revisions.get(stream) ?? 0
    revisions.set(stream, revision + 1)
    return { revision }
  }
  const of = (clientId: string) => ({ merchantId, clientId })
  return {
    client: (clientId: string, type: 'ClientAdded' | 'ClientErased') => {
      const event = { type, data: { ...samplePayloads[type], ...of(clientId) } } as ClientEvent
      return recorded(`client-${clientId}`, event, next(`client-${clientId}`))
    },
    receivable: (clientId: string, id: string, type: ReceivableEvent['type'], more = {}) => {
      const receivableId = `receivable_${id}`
      const data = { ...samplePayloads[type], ...of(clientId), receivableId, ...more }
      const stream = `receivable-${receivableId}`
      return recorded(stream, { type, data } as ReceivableEvent, next(stream))
    },
  }
}

const { amount } = samplePayloads.ReceivableAdded.details
const paid = { currency: 'usd', applied: amount, surplus: 0 }

/** Each step, and the counts after it: clients, those who owe, open invoices. */
function steps() {
  const { client, receivable } = story()
  return [
    [client('ash', 'ClientAdded'), [1, 0, 0]],
    [client('birch', 'ClientAdded'), [2, 0, 0]],
    [receivable('ash', 'a1', 'ReceivableAdded'), [2, 1, 1]],
    [receivable('ash', 'a2', 'ReceivableAdded'), [2, 1, 2]],
    [receivable('birch', 'b1', 'ReceivableAdded'), [2, 2, 3]],
    [receivable('ash', 'a1', 'PaymentRecorded', { ...paid, paymentId: 'p1' }), [2, 2, 2]],
    [receivable('ash', 'a2', 'ReceivableWrittenOff', { amount }), [2, 1, 1]],
    [receivable('ash', 'a2', 'ReceivableReopened', { amount }), [2, 2, 2]],
    [receivable('ash', 'a2', 'PaymentRecorded', { ...paid, paymentId: 'p2' }), [2, 1, 1]],
    [receivable('ash', 'a1', 'PaymentReversed', { ...paid, paymentId: 'p1' }), [2, 2, 2]],
    [receivable('ash', 'a1', 'RemindersHeld'), [2, 2, 2]],
    // What it owes stays.
    [client('ash', 'ClientErased'), [1, 2, 2]],
    [receivable('birch', 'b1', 'ReceivableCanceled', { amount }), [1, 1, 1]],
  ] as const
}

describe('the counts of a merchant for administrators', () => {
  it.each([1, 3, 100])('follow each event, folded %i at a time', async (batch) => {
    for (let length = 1; length <= steps().length; length += 1) {
      const told = steps().slice(0, length)
      await db.given(
        receivables,
        told.map(([event]) => event),
        batch,
      )
      const [clients, owingClients, openReceivables] = told.at(-1)?.[1] ?? []
      const counts = await merchantCounts(db.pool, [merchantId, 'usr_other'])
      expect([length, Object.fromEntries(counts)]).toEqual([
        length,
        { [merchantId]: { clients, owingClients, openReceivables } },
      ])
    }
  })

  it('are in the row of the user, in the list and alone, and 0 for a user without clients', async () => {
    const story = steps().map(([event]) => event)
    const people = [accountOpened(merchantId, 'a@example.com'), accountOpened('usr_b', 'b@x.org')]
    await db.given(users, people)
    await db.given(receivables, story)
    const now = new Date('2026-12-01T00:00:00.000Z')
    const list = createUsersList(merchantCounts)
    const { items } = await listPage(db.pool, list, adminUsersQuery.parse({ sort: 'email' }), now)
    const counts = { total_active_accounts: 1, clients: 1, open_receivables: 1 }
    const none = { total_active_accounts: 0, clients: 0, open_receivables: 0 }
    expect(items.toSorted((a, b) => (a.user_id < b.user_id ? -1 : 1))).toMatchObject([counts, none])
    const alone = (id: string) => adminUserById(db.pool, id, now, merchantCounts)
    expect(await alone(merchantId)).toMatchObject(counts)
    expect(await alone('usr_b')).toMatchObject(none)
    // Of a past time, they are not known.
    expect(adminUserFrom(people.slice(0, 1), now)).toMatchObject({
      total_active_accounts: null,
      clients: null,
      open_receivables: null,
    })
  })
})
