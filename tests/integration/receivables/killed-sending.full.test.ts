import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { ClientId, UserId } from '#contracts/ids'
import type { SendingParts } from '#services/receivables/sending/start-sending'
import { crashingStore } from '../../support/event-store/crashing-store.ts'
import { crashingPool, Killed } from '../../support/postgres/crashing-pool.ts'
import { createSendingSide, type SendingSide } from '../../support/receivables/sending-side.ts'

/*
 * A process is killed at each statement, at each append and around the answer of the server, while
 * it sends one message. Another one continues. Whatever happened, the step ends once.
 */

let side: SendingSide
let merchantId: UserId
let clients = 0
beforeAll(async () => {
  side = await createSendingSide({ at: '2026-11-02T14:30:00.000Z' })
  merchantId = await side.addMerchant()
}, 60_000)
afterAll(() => side?.close())

async function dueClient(channel: 'mail' | 'text'): Promise<ClientId> {
  clients += 1
  const clientId = await side.addClient(
    merchantId,
    channel === 'mail'
      ? { email: `c${clients}@whitaker.example`, phone: null }
      : { email: null, phone: `+1218555${String(1_000 + clients)}` },
    { mayText: channel === 'text' },
  )
  await side.addInvoice(merchantId, clientId, { dueDate: '2026-11-02' })
  await side.readLog()
  return clientId
}

/** Another process continues: until nothing is due and nothing waits. */
async function goOn(): Promise<void> {
  const process = side.process()
  for (let looks = 0; looks < 5; looks += 1) {
    await side.endWaits()
    await side.sendAll(process)
  }
}

/** Returns whether the process was killed. */
async function killed(process: SendingParts): Promise<boolean> {
  const before = await waits()
  try {
    await side.sendAll(process)
  } catch (error) {
    if (error instanceof Killed) return true
    throw error
  }
  // A kill inside a look is a failure of this look, and the client waits.
  return (await waits()) > before
}

async function waits(): Promise<number> {
  const { rowCount } = await side.database.pool.query(
    'SELECT FROM app.client_appointment WHERE next_attempt_at > now()',
  )
  return rowCount ?? 0
}

async function expectOneEnd(clientId: ClientId, channel: 'mail' | 'text'): Promise<void> {
  const types = await side.typesOf(clientId)
  const ends = types.filter((type) => type === 'MessageSent' || type === 'MessageUnknown')
  expect({ clientId, ends, types }).toMatchObject({ ends: ['MessageSent'] })
  const { state } = (await side.receivables.clientOf(merchantId, clientId)) ?? {}
  const { email, phone } = state?.details ?? {}
  if (channel === 'text') expect(side.texts.filter(({ to }) => to === phone)).toHaveLength(1)
  else {
    const ids = side.mails.filter(({ to }) => to === email).map(({ messageId }) => messageId)
    expect(ids.length).toBeGreaterThan(0)
    expect(ids.length).toBeLessThanOrEqual(2)
    expect(new Set(ids).size).toBe(1)
  }
}

describe.each(['mail', 'text'] as const)('a %s', (channel) => {
  it('of a process that is killed before each of its statements ends once', async () => {
    let kills = 0
    for (let statement = 1; ; statement += 1) {
      const clientId = await dueClient(channel)
      const isKilled = await killed(
        side.process(side.store, crashingPool(side.database.pool, statement)),
      )
      await goOn()
      await expectOneEnd(clientId, channel)
      if (!isKilled) break
      kills += 1
    }
    expect(kills).toBeGreaterThanOrEqual(10)
  }, 240_000)

  it.each(['before', 'after'] as const)(
    'of a process that is killed %s each of its appends ends once',
    async (moment) => {
      for (const append of [1, 2]) {
        const clientId = await dueClient(channel)
        expect(await killed(side.process(crashingStore(side.store, append, moment)))).toBe(true)
        await goOn()
        await expectOneEnd(clientId, channel)
      }
    },
  )

  it.each(['before', 'after'] as const)(
    'of a process that is killed %s the server accepts it ends once',
    async (moment) => {
      const clientId = await dueClient(channel)
      const accepted = { mail: side.answers.mail, text: side.answers.text }
      side.answers.mail = async (mail) => {
        if (moment === 'after') side.mails.push(mail)
        throw new Killed('The process was killed here.')
      }
      side.answers.text = async ({ to, body }) => {
        if (moment === 'after') side.texts.push({ to, body, sid: `SM-${to}`, at: side.clock.now() })
        throw new Killed('The process was killed here.')
      }
      expect(await killed(side.process())).toBe(true)
      Object.assign(side.answers, accepted)
      await goOn()
      await expectOneEnd(clientId, channel)
    },
  )
})
