import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { planNow } from '#services/receivables/reminders/plan-now'
import { initialReminderState, stepKey } from '#services/receivables/reminders/reminder-state'
import { arbitraryReminded, start } from '../../../support/receivables/arbitrary-reminders.ts'
import {
  afterMessage,
  client,
  day,
  merchant,
  receivable,
  reminded,
  schedule,
  step,
  zone,
} from '../../../support/receivables/reminders.ts'

/** Monday at noon in New York. */
const noon = '2026-11-02T17:00:00.000Z'
const steps = [step(-3), step(7, 'firm'), step(30, 'final')]
const parts = (changes: Parameters<typeof reminded>[0] = {}) =>
  reminded({ merchant: merchant({ schedule: schedule(steps) }), ...changes })

function messageOf(known: ReturnType<typeof parts>, state = initialReminderState, at = noon) {
  const planned = planNow(known, state, at)
  if (planned.kind === 'refused') throw new Error(planned.why.kind)
  return planned.message
}

describe('a message by hand', () => {
  it('is the latest step whose day came, and ends the earlier ones', () => {
    const {
      steps: told,
      replaced,
      tone,
    } = messageOf(parts({ receivables: [receivable('2026-10-25')] }))
    expect(told.map(({ offset }) => offset)).toEqual([7])
    expect(replaced.map(({ offset }) => offset)).toEqual([-3])
    expect(tone).toBe('firm')
  })

  it('is the next step before any day came, on any day of the week', () => {
    const known = parts({
      merchant: merchant({ schedule: schedule(steps, { sendingDays: new Set([3]) }) }),
      receivables: [receivable('2026-12-20')],
    })
    expect(messageOf(known).steps.map(({ offset }) => offset)).toEqual([-3])
  })

  it('is never final at first, and repeats the last step when none is left', () => {
    const late = parts({ receivables: [receivable('2026-08-01')] })
    expect(messageOf(late).tone).toBe('firm')
    const told = afterMessage(late, '2026-10-26T14:00:00.000Z')
    expect(messageOf(late, told)).toMatchObject({ tone: 'final', steps: [{ repetition: 1 }] })
  })

  it.each([
    ['nothing-to-say', { receivables: [] }],
    ['nothing-to-say', { receivables: [receivable('2026-10-25', { isDisputed: true })] }],
    [
      'nothing-to-say',
      { receivables: [receivable('2026-10-25', { promisedBy: day('2026-11-02') })] },
    ],
    ['no-channel', { client: client({ mail: 'bounced', text: 'no-consent' }) }],
    ['text-hours', { client: client({ mail: 'bounced', textZones: [zone('Pacific/Guam')] }) }],
    ['merchant-limit', { merchant: merchant({ schedule: schedule(steps), isFull: () => true }) }],
  ] as const)('is refused: %s', (kind, changes) => {
    const known = parts({ receivables: [receivable('2026-10-25')], ...changes })
    expect(planNow(known, initialReminderState, noon)).toMatchObject({
      kind: 'refused',
      why: { kind },
    })
  })

  it('is about no invoice whose payment is on its way', () => {
    const paying = receivable('2026-10-25', { receivableId: 'paying', isPaying: true })
    const owed = receivable('2026-10-25')
    expect(
      messageOf(parts({ receivables: [paying, owed] })).steps.map(
        ({ receivableId }) => receivableId,
      ),
    ).toEqual([owed.receivableId])
    const disputed = receivable('2026-10-25', { isDisputed: true })
    const waits = (...receivables: (typeof owed)[]) =>
      planNow(parts({ receivables }), initialReminderState, noon)
    expect(waits(paying)).toMatchObject({ why: { waitsFor: 'payments' } })
    expect(waits(paying, disputed)).toMatchObject({ why: { waitsFor: 'both' } })
    expect(waits(disputed)).toMatchObject({ why: { waitsFor: 'agreements' } })
    expect(waits()).toMatchObject({ why: { waitsFor: null } })
  })

  it('keeps the limits of the client', () => {
    const known = parts({ receivables: [receivable('2026-10-25'), receivable('2026-10-25')] })
    const told = afterMessage(known, '2026-11-02T14:30:00.000Z')
    expect(planNow(known, told, noon)).toMatchObject({ why: { kind: 'one-a-day' } })
  })

  it('is about owed receivables only, each once, and about no step that ended', () => {
    fc.assert(
      fc.property(arbitraryReminded, fc.integer({ min: 0, max: 40 * 24 }), (known, hours) => {
        const at = new Date(Date.parse(start) + hours * 3_600_000).toISOString()
        const planned = planNow(known, initialReminderState, at)
        if (planned.kind === 'refused') return
        const { steps: told, replaced } = planned.message
        const owed = new Set(
          known.receivables
            .filter(
              ({ settled, isDisputed, isPaying }) => settled === null && !isDisputed && !isPaying,
            )
            .map(({ receivableId }) => receivableId),
        )
        expect(told.every(({ receivableId }) => owed.has(receivableId))).toBe(true)
        const keys = [...told, ...replaced].map(stepKey)
        expect(new Set(keys).size).toBe(keys.length)
        expect(new Set(told.map(({ receivableId }) => receivableId)).size).toBe(told.length)
      }),
    )
  })
})
