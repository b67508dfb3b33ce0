import { describe, expect, it } from '@jest/globals'
import type { RecordedEvent } from '#contracts/events/catalogue'
import type { CheckoutItem } from '#contracts/events/client-checkout'
import { feesQuery, type PaymentFee } from '#contracts/receivables/fees'
import { exportedFees } from '#projections/receivables/queries/exported-rows'
import { feesOf } from '#projections/receivables/queries/fees'
import { receivables } from '#projections/receivables/read-model'
import { refOf } from '#services/payments/stripe/from-stripe/references'
import { erasedValue } from '#services/event-store/encryption/personal-fields'
import { recorded } from '../../support/data/events.ts'
import { samplePayloads } from '../../support/data/sample-payloads.ts'
import { sharedReadModelFixture } from '../../support/projections/shared-read-model-fixture.ts'

const db = sharedReadModelFixture()

interface Paid {
  readonly merchantId: string
  readonly clientId: string
  readonly name: string
  readonly paidAt: string
  readonly date: string
  readonly currency?: string
  readonly amount: number
  readonly fee: number
  readonly back?: number
  readonly returned?: number
}

/** The events of a payment of a client with one invoice. */
function paymentOf(paid: Paid): readonly RecordedEvent[] {
  const { merchantId, clientId, name, paidAt, date, currency = 'usd', amount, fee } = paid
  const { back = 0, returned = 0 } = paid
  const of = { merchantId, clientId, checkoutId: `checkout_${name}` }
  const items: CheckoutItem[] = [{ receivableId: 'receivable_1', amount }]
  const stream = `client-${clientId}`
  const started = { ...samplePayloads.ClientCheckoutStarted, ...of, currency, items, amount, fee }
  const received = { ...samplePayloads.ClientPaymentReceived, ...of, currency, items, amount }
  const feeRef = refOf(`fee_${name}`)
  return [
    recorded(stream, { type: 'ClientCheckoutStarted', data: started }),
    recorded(stream, { type: 'ClientPaymentReceived', data: { ...received, paidAt, date } }),
    ...(fee === 0
      ? []
      : [
          recorded(stream, {
            type: 'PlatformFeeCharged',
            data: { ...of, feeRef, chargedAt: paidAt, currency, amount: fee },
          }),
        ]),
    ...(back === 0
      ? []
      : [
          recorded(stream, {
            type: 'ClientPaymentReversed',
            data: {
              ...samplePayloads.ClientPaymentReversed,
              ...of,
              currency,
              amount: back,
              items: [{ receivableId: 'receivable_1', amount: back }],
            },
          }),
        ]),
    ...(returned === 0
      ? []
      : [
          recorded(stream, {
            type: 'PlatformFeeReturned',
            data: {
              ...of,
              feeRef,
              returnRef: refOf(`fr_${name}`),
              returnedAt: paidAt,
              currency,
              amount: returned,
            },
          }),
        ]),
  ]
}

function clientAdded(merchantId: string, clientId: string, name: string): RecordedEvent {
  const { details } = samplePayloads.ClientAdded
  const data = { merchantId, clientId, details: { ...details, name } }
  return recorded(`client-${clientId}`, { type: 'ClientAdded', data })
}

const ada = { merchantId: 'usr_1', clientId: 'client_ada' }
const bert = { merchantId: 'usr_1', clientId: 'client_bert' }
const other = { merchantId: 'usr_2', clientId: 'client_other' }

const log: readonly RecordedEvent[] = [
  clientAdded('usr_1', 'client_ada', 'Ada Ltd'),
  clientAdded('usr_1', 'client_bert', 'Bert Inc'),
  clientAdded('usr_2', 'client_other', 'Other'),
  ...paymentOf({
    ...ada,
    name: '1',
    // The month is that of the merchant's day.
    paidAt: '2026-11-01T03:00:00.000Z',
    date: '2026-10-31',
    amount: 100_00,
    fee: 5_00,
  }),
  ...paymentOf({
    ...ada,
    name: '2',
    paidAt: '2026-11-03T10:00:00.000Z',
    date: '2026-11-03',
    amount: 100_01,
    fee: 5_00,
    back: 33_33,
    returned: 1_67,
  }),
  ...paymentOf({
    ...bert,
    name: '3',
    paidAt: '2026-11-03T10:00:00.000Z',
    date: '2026-11-03',
    amount: 12_50,
    fee: 63,
  }),
  ...paymentOf({
    ...bert,
    name: '4',
    paidAt: '2026-11-04T10:00:00.000Z',
    date: '2026-11-04',
    currency: 'eur',
    amount: 9,
    fee: 0,
  }),
  ...paymentOf({
    ...other,
    name: '5',
    paidAt: '2026-11-05T10:00:00.000Z',
    date: '2026-11-05',
    amount: 40_00,
    fee: 2_00,
  }),
]

const read = (query: object) => feesOf(db.pool, 'usr_1', feesQuery.parse(query))

describe("the list of the fees on the clients' payments", () => {
  it('has the payments of the merchant, newest first, and the sums of each month', async () => {
    await db.given(receivables, log)
    const list = await read({})
    expect(
      list.items.map(({ checkoutId, clientName, netFee }) => [checkoutId, clientName, netFee]),
    ).toEqual([
      ['checkout_4', 'Bert Inc', 0],
      ['checkout_3', 'Bert Inc', 63],
      ['checkout_2', 'Ada Ltd', 3_33],
      ['checkout_1', 'Ada Ltd', 5_00],
    ])
    expect(list.items[2]).toMatchObject({
      paidAt: '2026-11-03T10:00:00.000Z',
      day: '2026-11-03',
      invoices: 1,
      currency: 'usd',
      amount: 100_01,
      back: 33_33,
      fee: 5_00,
      feeReturned: 1_67,
    })
    expect(list).toMatchObject({
      total: 4,
      next: null,
      months: [
        { month: '2026-11', currency: 'eur', payments: 1, amount: 9, fee: 0, netFee: 0 },
        {
          month: '2026-11',
          currency: 'usd',
          payments: 2,
          amount: 112_51,
          back: 33_33,
          fee: 5_63,
          feeReturned: 1_67,
          netFee: 3_96,
        },
        { month: '2026-10', currency: 'usd', payments: 1, amount: 100_00, netFee: 5_00 },
      ],
    })
  })

  it('continues where a page ended, also between payments of one moment', async () => {
    await db.given(receivables, log)
    const pages: (readonly PaymentFee[])[] = []
    for (let after: string | undefined; ;) {
      const { items, next } = await read({ limit: 1, ...(after === undefined ? {} : { after }) })
      pages.push(items)
      if (next === null) break
      after = next
    }
    expect(pages.flat()).toEqual((await read({})).items)
    expect(pages).toHaveLength(4)
  })

  it('begins again after a text that is no place', async () => {
    await db.given(receivables, log)
    for (const after of ['', 'x', '2026-11-03 1', "' OR true --"])
      expect((await read({ after })).items).toHaveLength(4)
  })

  it('narrows to a month, and keeps the sums of all months', async () => {
    await db.given(receivables, log)
    const { items, total, months } = await read({ month: '2026-10' })
    expect(items.map(({ checkoutId }) => checkoutId)).toEqual(['checkout_1'])
    expect({ total, months: months.length }).toEqual({ total: 1, months: 3 })
  })

  it('has the same payments in its export', async () => {
    await db.given(receivables, log)
    const exported: PaymentFee[] = []
    const { signal } = new AbortController()
    for await (const part of exportedFees(db.pool, 'usr_1', {}, signal)) exported.push(...part)
    expect(exported).toEqual((await read({})).items)
  })

  it('keeps the sums of an erased client, and names it Erased', async () => {
    const erased = recorded('client-client_ada', { type: 'ClientErased', data: ada })
    await db.given(receivables, [...log, erased])
    const list = await read({ month: '2026-10' })
    expect(list.items).toMatchObject([{ clientName: 'Erased', fee: 5_00 }])
    expect(JSON.stringify(list)).not.toContain(erasedValue)
  })
})
