import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { Registry } from 'prom-client'
import type { CommandHandler } from '#services/commands/handle-command'
import { createCommandHandler } from '#services/commands/handle-command'
import { contactStopStream } from '#services/foundation/stream-names'
import { parseStopId } from '#contracts/ids'
import { createMeasure } from '#services/http/metrics/measure'
import { messageMetrics } from '#services/http/metrics/message-metrics'
import { measureMessages } from '#services/receivables/sending/measure-messages'
import { contactStopDecider } from '#services/receivables/stops/contact-stop-decider'
import { countedCommands } from '#services/http/metrics/counted-commands'
import { MailNotSent } from '#services/mail/mailer'
import { testContext } from '../../support/data/test-context.ts'
import { macKey } from '../../support/event-store/mac-key.ts'
import {
  createSendingSide,
  monday,
  type SendingSide,
} from '../../support/receivables/sending-side.ts'

let side: SendingSide
beforeAll(async () => {
  side = await createSendingSide()
}, 60_000)
afterAll(() => side?.close())

/** The metrics of a process that sends, as text. */
function measured() {
  const registry = new Registry()
  const log = { warn: () => undefined }
  const read = () => measureMessages(side.database.pool, side.clock.now())
  const metrics = messageMetrics(registry, read, createMeasure(registry, log))
  return {
    counts: metrics.counts,
    async lines(): Promise<string> {
      await metrics.collect()
      const text = await registry.metrics()
      return text
        .split('\n')
        .filter((line) => line.startsWith('client_'))
        .join('\n')
    },
  }
}

/** A process whose events are counted. */
function countingProcess(counts: ReturnType<typeof measured>['counts']) {
  const { store, codec, clock } = side
  const counted: CommandHandler = countedCommands(
    createCommandHandler({ store, codec, clock, macKey }),
    counts,
  )
  return { ...side.process(), commands: counted }
}

describe('the metrics of messages to clients', () => {
  it('have what is due, how long it waits, and what became of it', async () => {
    const { counts, lines } = measured()
    const process = countingProcess(counts)
    side.setTime(monday)
    const merchantId = await side.addMerchant()
    const clients = [await side.addClient(merchantId), await side.addClient(merchantId)]
    for (const clientId of clients)
      await side.addInvoice(merchantId, clientId, { dueDate: '2026-11-02' })
    await side.sendAll(process)
    expect(await lines()).toContain('client_messages_due 0\n')
    // 90 s after the sending hour.
    side.setTime('2026-11-02T14:31:30.000Z')
    expect(await lines()).toContain(
      'client_messages_due 2\nclient_messages_oldest_due_seconds 90\nclient_messages_oldest_retry_seconds 0\nclient_messages_failing 0',
    )
    await side.sendAll(process)
    const sent = await lines()
    expect(sent).toContain('client_messages_due 0\nclient_messages_oldest_due_seconds 0')
    expect(sent).toContain('client_messages_total{channel="mail",outcome="sent"} 2')
  }, 30_000)

  it('measure what waits for its next try apart from what waits for its turn', async () => {
    const { lines } = measured()
    const process = side.process()
    side.setTime(monday)
    const merchantId = await side.addMerchant()
    const clients = []
    for (const email of ['full@whitaker.example', 'next@whitaker.example'])
      clients.push(await side.addClient(merchantId, { email }))
    for (const clientId of clients)
      await side.addInvoice(merchantId, clientId, { dueDate: '2026-11-02' })
    side.setTime('2026-11-02T14:30:00.000Z')
    side.answers.mail = async ({ to }) => {
      if (to === 'full@whitaker.example')
        throw new MailNotSent({ code: 'EENVELOPE', command: 'RCPT TO', responseCode: 452 })
    }
    await side.sendAll(process)
    side.setTime('2026-11-02T15:30:00.000Z')
    expect(await lines()).toContain(
      'client_messages_due 1\nclient_messages_oldest_due_seconds 0\nclient_messages_oldest_retry_seconds 3600',
    )
    await side.endWaits()
    expect(await lines()).toContain(
      'client_messages_oldest_due_seconds 3600\nclient_messages_oldest_retry_seconds 0',
    )
    side.answers.mail = async () => undefined
    await side.sendAll(process)
  }, 30_000)

  it('count what fails, bounces and is skipped, by reason', async () => {
    const { counts, lines } = measured()
    const process = countingProcess(counts)
    side.setTime(monday)
    const merchantId = await side.addMerchant()
    const clientId = await side.addClient(merchantId)
    await side.addInvoice(merchantId, clientId, { dueDate: '2026-11-02' })
    side.answers.mail = async () => {
      throw new MailNotSent({ code: 'EENVELOPE', command: 'RCPT TO', responseCode: 550 })
    }
    side.setTime('2026-11-02T14:30:00.000Z')
    await side.sendAll(process)
    side.answers.mail = async () => undefined
    const text = await lines()
    expect(text).toContain('client_messages_total{channel="mail",outcome="refused"} 1')
    expect(text).toContain('client_steps_skipped_total{reason="no-channel"} 2')
    await side.database.pool.query(
      'UPDATE app.client_appointment SET attempts = 5, due_at = $2 WHERE client_id = $1',
      [clientId, side.clock.now()],
    )
    expect(await lines()).toContain('client_messages_failing 1')

    await process.commands.handle({
      decider: contactStopDecider,
      stream: contactStopStream(parseStopId('ab'.repeat(32))),
      command: { type: 'stop', via: 'portal', at: side.clock.now().toISOString() },
      context: testContext(),
    })
    expect(await lines()).toContain('client_opt_outs_total{via="portal"} 1')
  }, 30_000)
})
