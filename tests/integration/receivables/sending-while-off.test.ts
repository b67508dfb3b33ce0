import { setTimeout as sleep } from 'node:timers/promises'
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

  it('take no lane from a merchant that sends', async () => {
    const rest = createRestWhileOff(() => 0)
    const round = async () => {
      await side.readLog()
      return sendRound(side.process(), undefined, rest)
    }
    const off = [await side.addMerchant({ isOn: false }), await side.addMerchant({ isOn: false })]
    for (const merchantId of off) await side.addClient(merchantId)
    await round()
    const on = await side.addMerchant()
    for (let index = 0; index < 41; index += 1)
      await side.addInvoice(on, await side.addClient(on), { dueDate: '2026-11-03' })
    while (await round()) continue

    const lanes = 3
    let mailing = 0
    let most = 0
    let fill = (): void => undefined
    const full = new Promise<void>((resolve) => (fill = resolve))
    side.answers.mail = async () => {
      mailing += 1
      most = Math.max(most, mailing)
      if (mailing === lanes) fill()
      await Promise.race([full, sleep(2_000)])
      mailing -= 1
    }
    side.setTime('2026-11-04T15:30:00.000Z')
    for (const merchantId of off) await side.addClient(merchantId)
    await round()
    expect(most).toBe(lanes)
  }, 60_000)
})
