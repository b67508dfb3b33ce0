import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { liveReminders, type Lived } from '../../support/receivables/reminder-life.ts'
import { checkReminders, type Checked } from '../../support/receivables/reminder-model.ts'
import { createSendingSide, type SendingSide } from '../../support/receivables/sending-side.ts'

/*
 * 140 days with both changes of the clock. LIFE_RECEIVABLES sets another size, such as 500 for a
 * first look: 10,000 took 61 min at a load of 10 to 19 on two cores, 16 min of processor time.
 */

const receivables = Number(process.env['LIFE_RECEIVABLES'] ?? 10_000)
const size = {
  merchants: 10,
  clients: Math.ceil(receivables / 5),
  receivables,
  days: 140,
  seed: Number(process.env['LIFE_SEED'] ?? 37),
}

let side: SendingSide
let lived: Lived
let checked: Checked
beforeAll(async () => {
  side = await createSendingSide({ isLong: true })
  lived = await liveReminders(side, size)
  checked = await checkReminders(side, lived.end)
  process.stderr.write(
    `${receivables} receivables, ${size.days} days, ${lived.crashes} killed processes, ${lived.unanswered} servers without an answer:\n${JSON.stringify(checked.counts, null, 2)}\n`,
  )
}, 7_200_000)
afterAll(() => side?.close())

describe('reminders over 140 days', () => {
  it('end each step once, within hours, days and limits, and never after a payment', () => {
    expect(checked.faults).toEqual([])
  })

  it('meet kills, servers without an answer, and every kind of end', () => {
    expect(lived.crashes).toBeGreaterThan(0)
    expect(lived.unanswered).toBeGreaterThan(0)
    for (const what of [
      'step sent',
      'step replaced',
      'step skipped: no-channel',
      'step skipped: paid',
      'PaymentReversed',
      'ReceivableReopened',
      'mail sent',
      'text sent',
      'sent by hand',
      'mail repeated',
      'mail not sent: refused',
    ])
      expect({ what, count: checked.counts[what] ?? 0 }).not.toEqual({ what, count: 0 })
  })
})
