import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import pino from 'pino'
import { createCommandHandler } from '#services/commands/handle-command'
import { clientStream } from '#services/foundation/stream-names'
import { returnAddress } from '#services/mail/return-addresses'
import {
  createReturnedMails,
  type ReturnedMails,
} from '#services/notifications/returned/returned-mails'
import { macKey } from '../../support/event-store/mac-key.ts'
import { postfixReport } from '../../support/mail/delivery-reports.ts'
import { testReturnTokens } from '../../support/mail/return-tokens.ts'
import {
  createSendingSide,
  monday,
  type SendingSide,
} from '../../support/receivables/sending-side.ts'

/* Messages that the sender of messages sent, and that come back. */

const bounceAddress = 'bounce@example.com'

let side: SendingSide
let returned: ReturnedMails
beforeAll(async () => {
  side = await createSendingSide()
  const { store, codec, clock, receivables } = side
  returned = createReturnedMails({
    commands: createCommandHandler({ store, codec, clock, macKey }),
    receivables,
    store,
    clock,
    tokens: testReturnTokens,
    bounceAddress,
    onOutcome: () => undefined,
    log: pino({ level: 'silent' }),
  })
}, 60_000)
afterAll(() => side?.close())

describe('a message that comes back', () => {
  it.each([
    ['5.1.1', true, ['ClientAddressBounced']],
    ['5.2.2', false, []],
  ])(
    'with %s ends mails to the address: %s',
    async (status, isBounced, ofClient) => {
      side.mails.length = 0
      side.texts.length = 0
      side.setTime(monday)
      const merchantId = await side.addMerchant()
      const clientId = await side.addClient(merchantId, {}, { mayText: true })
      // Friendly mails on the day, and a firm one after 7 days.
      await side.addInvoice(merchantId, clientId, { dueDate: '2026-11-02' })
      side.setTime('2026-11-02T14:30:00.000Z')
      await side.sendAll()
      const token = side.mails[0]?.returnToken ?? ''
      const report = postfixReport({ to: returnAddress(bounceAddress, token), status })
      expect(await returned.take(Buffer.from(report))).toBe(
        isBounced ? 'client-bounced' : 'client-returned',
      )
      expect((await side.typesOf(clientId)).at(-1)).toBe('MessageReturned')
      const stored = await side.store.readStream(clientStream(clientId))
      expect(stored.map(({ type }) => type).filter((type) => type.includes('Bounced'))).toEqual(
        ofClient,
      )

      side.setTime('2026-11-09T18:00:00.000Z')
      await side.sendAll()
      expect(side.mails).toHaveLength(isBounced ? 1 : 2)
      expect(side.texts).toHaveLength(isBounced ? 1 : 0)
    },
    30_000,
  )
})
