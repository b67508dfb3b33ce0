import { describe, expect, it } from '@jest/globals'
import type { ClientEvent } from '#contracts/events/client'
import type { ReceivableEvent } from '#contracts/events/receivable'
import { needsYou } from '#projections/receivables/queries/needs-you'
import { receivables } from '#projections/receivables/read-model'
import { recorded } from '../../support/data/events.ts'
import { samplePayloads } from '../../support/data/sample-payloads.ts'
import { sharedReadModelFixture } from '../../support/projections/shared-read-model-fixture.ts'
import {
  clientId,
  day,
  merchantId,
} from '../../support/receivables/arbitrary-receivable-commands.ts'

const db = sharedReadModelFixture()
const receivableId = 'receivable_6c1f9a2e-8a52-5f0e-9d55-000000000001'
const today = day('2026-11-25')
const of = { merchantId, clientId }

let revision = 0
const ofClient = (event: ClientEvent) =>
  recorded(`client-${clientId}`, event, { revision: (revision += 1) })
const ofInvoice = (event: ReceivableEvent) =>
  recorded(`receivable-${receivableId}`, event, { revision: (revision += 1) })

const added = ofClient({ type: 'ClientAdded', data: { ...samplePayloads.ClientAdded, ...of } })
const invoice = ofInvoice({
  type: 'ReceivableAdded',
  data: {
    ...samplePayloads.ReceivableAdded,
    ...of,
    receivableId,
    currency: 'usd',
    since: '2026-10-14',
    details: { ...samplePayloads.ReceivableAdded.details, dueDate: '2026-11-13', amount: 124_000 },
  },
})
const paid = (applied: number) =>
  ofInvoice({
    type: 'PaymentRecorded',
    data: {
      ...samplePayloads.PaymentRecorded,
      ...of,
      receivableId,
      currency: 'usd',
      paymentId: 'payment_1',
      date: '2026-11-18',
      applied,
      surplus: 0,
    },
  })
const rows = async () => (await needsYou(db.pool, merchantId, today)).rows

describe('what needs the merchant', () => {
  it('is a promise of which a part was paid, with what is open', async () => {
    const promised = ofInvoice({
      type: 'PaymentPromised',
      data: { ...of, receivableId, by: day('2026-11-20'), madeBy: 'client' },
    })
    await db.given(receivables, [added, invoice, promised, paid(40_000)])
    expect(await rows()).toMatchObject([
      {
        kind: 'promise-broken',
        amount: 84_000,
        sentence: 'Promised to pay by Nov 20. $840.00 is still open.',
      },
    ])
  })

  it('is a dispute, and one at the bank has its own words', async () => {
    const disputed = (madeBy: 'client' | 'bank', text: string) =>
      ofInvoice({ type: 'ReceivableDisputed', data: { ...of, receivableId, text, madeBy } })
    await db.given(receivables, [added, invoice, disputed('client', 'Charged twice.')])
    expect((await rows())[0]?.sentence).toBe(
      'Disputes the invoice: “Charged twice”. Its reminders wait until you end the dispute.',
    )
    const atBank = 'The client disputed the payment at its bank (fraudulent).'
    await db.given(receivables, [added, invoice, disputed('bank', atBank)])
    expect(await rows()).toMatchObject([
      {
        kind: 'disputed',
        sentence: `${atBank} The bank took the payment back, and $1,240.00 is open. Answer in your account at the payment provider. Reminders wait until the bank decides or you end the dispute.`,
      },
    ])
  })
})
