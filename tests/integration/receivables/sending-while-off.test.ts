import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createRestWhileOff } from '#services/receivables/sending/rest-while-off'
import { sendRound } from '#services/receivables/sending/start-sending'
import { createSendingSide, monday } from '../../support/receivables/sending-side.ts'

let side: Awaited<ReturnType<typeof createSendingSide>>
beforeAll(async () => {
  side = await createSendingSide()
}, 120_000)
afterAll(() => side?.close())

describe('the appointments of a merchant whose reminders are off', () => {
  it('rest after a look, and are kept at once when reminders are turned on', async () => {
    const elapsed = { ms: 0 }
    const rest = createRestWhileOff(() => elapsed.ms)
    const round = async () => {
      await side.readLog()
      return sendRound(side.process(), undefined, rest)
    }
    const merchantId = await side.addMerchant({ isOn: false })
    const clientId = await side.addClient(merchantId)
    expect(await round()).toBe(true)
    expect(await side.dueAt(clientId)).toBeNull()

    await side.addInvoice(merchantId, clientId, { dueDate: '2026-11-09' })
    expect(await round()).toBe(false)
    expect(await side.dueAt(clientId)).toEqual(new Date(monday))
    elapsed.ms = 10_000
    expect(await round()).toBe(true)
    expect(await side.dueAt(clientId)).toBeNull()

    await side.actAsMerchant(merchantId, { type: 'turn-reminders-on' })
    expect(await round()).toBe(true)
    expect(await side.dueAt(clientId)).toEqual(expect.any(Date))
  })
})
