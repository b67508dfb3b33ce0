import { expect, it } from '@jest/globals'
import type { ContactStopEvent } from '#contracts/events/contact-stop'
import { parseUserId } from '#contracts/ids'
import { stoppedAmong } from '#projections/stops/queries/stopped-among'
import { stops } from '#projections/stops/read-model'
import { stopKeyOf } from '#services/event-store/audit/audit-keys'
import { contactStopStream } from '#services/foundation/stream-names'
import { createOptOuts } from '#services/receivables/stops/opt-outs'
import { createStopIds } from '#services/receivables/stops/stop-ids'
import { recorded } from '../../support/data/events.ts'
import { sharedReadModelFixture } from '../../support/projections/shared-read-model-fixture.ts'
import { day } from '../../support/receivables/arbitrary-receivable-commands.ts'
import { testStops } from '../../support/receivables/test-stops.ts'

const db = sharedReadModelFixture()
const merchantId = parseUserId('usr_alder')
const ids = createStopIds(stopKeyOf(Buffer.alloc(32, 9)))
const mail = ids.ofMerchant('mail', merchantId, 'grace@postbox.example')
const text = ids.ofPhone('(541) 555-0139')
const other = ids.ofMerchant('text', merchantId, '(541) 555-0140')
if (mail === null || text === null || other === null) throw new Error('An address has no id.')

const event = (id: typeof mail, of: ContactStopEvent, revision = 0) =>
  recorded(contactStopStream(id), of, { revision })
const stopped = (via: 'portal' | 'text') => ({ type: 'ContactStopped', data: { via } }) as const
const resumed = { type: 'ContactResumed', data: { via: 'text' } } as const

it('the last event of a stream decides, also across batches', async () => {
  await db.given(stops, [event(mail, stopped('portal')), event(text, stopped('text'))])
  expect(await stoppedAmong(db.pool, [mail, text, other])).toEqual(
    new Map([
      [mail, 'portal'],
      [text, 'text'],
    ]),
  )
  await db.given(stops, [
    event(mail, stopped('portal')),
    event(text, stopped('text')),
    event(text, resumed, 1),
  ])
  expect(await stoppedAmong(db.pool, [mail, text])).toEqual(new Map([[mail, 'portal']]))
  await db.given(stops, [
    event(text, stopped('text')),
    event(text, resumed, 1),
    event(text, stopped('text'), 2),
  ])
  expect(await stoppedAmong(db.pool, [text])).toEqual(new Map([[text, 'text']]))
})

it('the clients that owe and stopped messages need the merchant, whatever spelling they have', async () => {
  await db.given(stops, [event(mail, stopped('portal')), event(text, stopped('text'))])
  const client = { oldestDue: '2026-11-13', open: { usd: 84_000, eur: 100 } }
  const optOuts = createOptOuts({
    queries: {
      owingContacts: () =>
        Promise.resolve([
          {
            ...client,
            clientId: 'client_1',
            clientName: 'Grace',
            email: 'GRACE@postbox.example',
            phone: '541 555 0139',
          },
          {
            ...client,
            clientId: 'client_2',
            clientName: 'Omar',
            email: null,
            phone: '+1 541 555 0139',
          },
          {
            ...client,
            clientId: 'client_3',
            clientName: 'Lena',
            email: 'lena@postbox.example',
            phone: null,
          },
        ]),
    },
    stops: testStops({
      commands: {
        handle: () => Promise.reject(new Error('not called')),
        load: () => Promise.reject(new Error('not called')),
      },
      clock: { now: () => new Date() },
      stoppedAmong: (wanted) => stoppedAmong(db.pool, wanted),
    }),
  })
  expect(await optOuts(merchantId, day('2026-11-25'))).toEqual({
    total: 2,
    items: [
      {
        kind: 'opted-out',
        clientId: 'client_1',
        clientName: 'Grace',
        receivableId: null,
        number: null,
        sentence: 'Stopped your e-mails and texts. Call the client, or write a letter.',
        amount: 84_000,
        currency: 'usd',
        daysOverdue: 12,
      },
      expect.objectContaining({
        clientId: 'client_2',
        sentence:
          'Stopped your texts and has no e-mail address. Call the client, or write a letter.',
      }),
    ],
  })
})
