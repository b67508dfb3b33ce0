import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { rawEventResponse } from '#contracts/admin/history'
import type { DomainEvent } from '#contracts/events/catalogue'
import { parseClientId, parseUserId } from '#contracts/ids'
import { clientSubject } from '#services/foundation/stream-names'
import { samplePayloads } from '../../support/data/sample-payloads.ts'
import { startHistorySide, type GivenEvent } from '../../support/product/history-side.ts'

/* What administrators see of a merchant's clients, and what is recorded of it. */

let side: Awaited<ReturnType<typeof startHistorySide>>
beforeAll(async () => {
  side = await startHistorySide()
}, 60_000)
afterAll(() => side.close())

const at = (minute: number) => new Date(Date.UTC(2026, 2, 3, 9, minute)).toISOString()

let count = 0
/** A merchant with a client and an invoice that the client disputes. */
async function givenMerchant() {
  count += 1
  const merchantId = `usr_${count}`
  const owner = {
    merchantId,
    clientId: parseClientId(`client_${String(count).padStart(32, '0')}`),
  }
  const receivableId = `receivable_6c1f9a2e-8a52-5f0e-9d55-${String(count).padStart(12, '0')}`
  const event = (stream: string, minute: number, { type, data }: DomainEvent): GivenEvent =>
    ({ stream, type, data, occurredAt: at(minute) }) as GivenEvent
  const [client, receivable] = [`client-${owner.clientId}`, `receivable-${receivableId}`]
  await side.given(
    event(`account-${merchantId}`, 0, {
      type: 'AccountOpened',
      data: { userId: merchantId, email: `user${count}@example.com` },
    }),
    event(client, 1, {
      type: 'ClientAdded',
      data: { ...samplePayloads.ClientAdded, ...owner },
    }),
    event(receivable, 2, {
      type: 'ReceivableAdded',
      data: { ...samplePayloads.ReceivableAdded, ...owner, receivableId },
    }),
    event(receivable, 3, {
      type: 'ReceivableDisputed',
      data: { ...samplePayloads.ReceivableDisputed, ...owner, receivableId },
    }),
    event(receivable, 4, {
      type: 'RemindersReleased',
      data: { ...owner, receivableId },
    }),
  )
  return { ...owner, client, receivable }
}

const openingOf = (stream: string, revision: number) =>
  `/api/admin/events/${stream}/${revision}/client-data`
const open = async (stream: string, revision: number) => {
  const { status, body } = await side.client.post(openingOf(stream, revision))
  expect(status).toBe(200)
  return rawEventResponse.parse(body)
}
const { name, email } = samplePayloads.ClientAdded.details

describe('the events of clients and invoices', () => {
  it('are in the history of their merchant, in sentences without data of the client', async () => {
    const { merchantId } = await givenMerchant()
    const { items, user } = await side.history(merchantId)
    expect(items.map(({ title, kind }) => [title, kind])).toEqual([
      ['Invoice no longer on hold', 'receivables'],
      ['Invoice disputed', 'receivables'],
      ['Invoice added', 'receivables'],
      ['Client added', 'receivables'],
      ['Account opened', 'account'],
    ])
    expect(JSON.stringify(items)).not.toContain(name)
    expect(user).toMatchObject({ clients: 1, total_active_accounts: 1, open_receivables: 1 })
  })

  it('hide the data of the client until an administrator opens them', async () => {
    const { client, receivable } = await givenMerchant()
    const hidden = await side.raw(client, 0)
    expect(hidden.client_data).toBe('hidden')
    expect(hidden.data).toMatchObject({ details: { name: '[hidden]', email: '[hidden]' } })
    expect(JSON.stringify(hidden)).not.toContain(email)
    expect((await side.raw(receivable, 1)).data).toMatchObject({ text: '[hidden]' })
    // An event without a text about the client has nothing to open.
    expect((await side.raw(receivable, 2)).client_data).toBe('none')
    const shown = await open(client, 0)
    expect(shown).toMatchObject({ client_data: 'shown', data: { details: { name, email } } })
    expect({ ...shown, data: null, client_data: null }).toEqual({
      ...hidden,
      data: null,
      client_data: null,
    })
  })
})

describe('opening the data of a client', () => {
  it('is recorded with who opened which event, and is in the history of the merchant', async () => {
    const { merchantId, clientId, client, receivable } = await givenMerchant()
    const before = await side.history(merchantId)
    await side.raw(client, 0)
    await open(receivable, 2)
    expect((await side.history(merchantId)).total).toBe(before.total)

    await open(client, 0)
    await open(receivable, 1)
    const { items } = await side.history(merchantId)
    expect(items.slice(0, 2)).toMatchObject([
      {
        title: "Client's data opened",
        kind: 'admin',
        sentence: 'An administrator opened the data of a client in an event of its invoice.',
        actor: { kind: 'admin' },
        user_id: merchantId,
      },
      { sentence: 'An administrator opened the data of a client in an event of the client.' },
    ])
    const record = items[1]
    const { data } = await side.raw(record?.stream ?? '', record?.revision ?? 0)
    expect(data).toEqual({
      adminId: record?.actor.id,
      userId: merchantId,
      clientId,
      stream: client,
      revision: 0,
    })
    const { items: acts } = await side.page('/api/admin/activity?kind=exports')
    expect(acts.slice(0, 2).map(({ id }) => id)).toEqual(items.slice(0, 2).map(({ id }) => id))
  })

  it('gives nothing if it cannot be recorded', async () => {
    const { merchantId, client } = await givenMerchant()
    const before = await side.history(merchantId)
    // As a full disk: the log can be read, and takes no event.
    await side.pool.query(`
      CREATE FUNCTION log.is_full() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'no space left on device' USING ERRCODE = '53100'; END $$;
      CREATE TRIGGER full_disk BEFORE INSERT ON log.event EXECUTE FUNCTION log.is_full()`)
    const refused = await side.client.post(openingOf(client, 0))
    expect((await side.raw(client, 0)).client_data).toBe('hidden')
    await side.pool.query('DROP TRIGGER full_disk ON log.event')
    expect(refused.status).toBe(503)
    expect(JSON.stringify(refused.body)).not.toContain(name)
    expect((await side.history(merchantId)).total).toBe(before.total)
  })

  it('has nothing to open after the erasure of the client, and records nothing', async () => {
    const { merchantId, clientId, client } = await givenMerchant()
    await side.given({
      stream: client,
      type: 'ClientErased',
      data: { merchantId, clientId },
      occurredAt: at(5),
    })
    await side.keys.erase(clientSubject(parseUserId(merchantId), clientId))
    const before = await side.history(merchantId)
    const shown = await open(client, 0)
    expect(shown).toMatchObject({ client_data: 'none', data: { details: { name: '[erased]' } } })
    expect((await side.history(merchantId)).total).toBe(before.total)
  })

  it('is refused to customers and visitors', async () => {
    const { client } = await givenMerchant()
    const refused = await side.visitor().post(openingOf(client, 0))
    expect(refused.status).toBe(401)
  })
})
