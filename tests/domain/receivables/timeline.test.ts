import { expect, it } from '@jest/globals'
import { clientEvents, type ClientEvent } from '#contracts/events/client'
import { receivableEvents, type ReceivableEvent } from '#contracts/events/receivable'
import { parseTimeZone, daysIn } from '#services/finance/time-zone'
import { isSaidByInvoices, timelineEvent } from '#services/receivables/timeline'
import { recorded } from '../../support/data/events.ts'
import { samplePayloads } from '../../support/data/sample-payloads.ts'

const zone = parseTimeZone('America/Los_Angeles')
if (zone === null) throw new Error('This Node has no time zones.')
const dayOf = daysIn(zone)

const sentenceOf = (event: ClientEvent | ReceivableEvent) =>
  timelineEvent(recorded('receivable-1', event, {}), () => 'AD-1187', dayOf).sentence

it('a dispute has the words of who disputes, once', () => {
  const disputed = (madeBy: 'client' | 'bank', text: string) =>
    sentenceOf({
      type: 'ReceivableDisputed',
      data: { ...samplePayloads.ReceivableDisputed, madeBy, text },
    })
  expect(disputed('client', 'Charged twice')).toBe(
    'The client disputed the invoice. Charged twice.',
  )
  const atBank = 'The client disputed the payment at its bank (fraudulent).'
  expect(disputed('bank', atBank)).toBe(atBank)
})

it.each([...Object.keys(clientEvents), ...Object.keys(receivableEvents)])(
  'says each text of %s once',
  (type) => {
    const data = samplePayloads[type as keyof typeof samplePayloads]
    const sentence = sentenceOf({ type, data } as ClientEvent | ReceivableEvent)
    for (const name of ['note', 'reason', 'text', 'outcome', 'source']) {
      const text = (data as Readonly<Record<string, unknown>>)[name]
      if (typeof text === 'string' && text !== '')
        expect(sentence.split(text).length).toBeLessThanOrEqual(2)
    }
  },
)

it('a client’s history leaves what its invoices say to them, and nothing that only it has', () => {
  const types = Object.keys(samplePayloads).filter((type) =>
    /^(ClientPayment|ClientCheckout|Platform|ClientCharge)/.test(type),
  )
  const left = types.filter((type) => !isSaidByInvoices({ type } as ClientEvent))
  expect(left.sort()).toEqual([
    'ClientChargebackLost',
    'ClientCheckoutClosed',
    'ClientCheckoutSubmitted',
    'PlatformFeeCharged',
    'PlatformFeeReturned',
  ])
})
