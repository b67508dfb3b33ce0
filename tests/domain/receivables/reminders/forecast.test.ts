import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { ClientReminderEvent } from '#contracts/events/client-reminder'
import { parseClientId } from '#contracts/ids'
import { forecast } from '#services/receivables/reminders/forecast'
import type { RemindedParts } from '#services/receivables/reminders/reminded'
import { initialReminderState, stepKey } from '#services/receivables/reminders/reminder-state'
import { clockOf, offsetAt } from '#services/foundation/zone-offset'
import { arbitraryReminded, start } from '../../../support/receivables/arbitrary-reminders.ts'
import {
  addresses,
  clientId,
  decided,
  fullOn,
  merchant,
  merchantId,
  newYork,
  receivable,
  client,
  stateAfter,
  day,
} from '../../../support/receivables/reminders.ts'

const halfHourMs = 1_800_000
const days = 35
const until = new Date(Date.parse(start) + days * 86_400_000).toISOString()

/** What a process does that looks each half hour, and never asks when to look again. */
function lived(parts: RemindedParts): readonly { at: string; event: ClientReminderEvent }[] {
  let state = initialReminderState
  const events: { at: string; event: ClientReminderEvent }[] = []
  for (let ms = Date.parse(start); ms < Date.parse(until); ms += halfHourMs) {
    const at = new Date(ms).toISOString()
    const due = decided(state, { type: 'follow', parts, to: addresses }, at)
    state = stateAfter(due, state)
    events.push(...due.map((event) => ({ at, event })))
    if (state.open === null) continue
    const { messageId } = state.open
    const what = { messageId, subject: null, body: '', providerId: null }
    state = stateAfter(decided(state, { type: 'record-sent', ...what }, at), state)
  }
  return events
}

function foreseen({ merchant: { isFull, ...rest }, client: who, receivables }: RemindedParts) {
  return forecast(
    { ...rest, merchantId, limitOn: () => 99, takenAt: (each) => (isFull(each) ? 99 : 0) },
    [{ clientId, client: who, receivables, state: initialReminderState }],
    { from: start, until },
  )
}

const localMinutes = (at: string, timeZone: string) => {
  const ms = Date.parse(at)
  return Math.floor((ms + offsetAt(clockOf(timeZone), ms)) / 60_000) % 1440
}

describe('the forecast', () => {
  it('is what a process sends that looks each half hour', () => {
    fc.assert(
      fc.property(arbitraryReminded, (parts) => {
        const events = lived(parts)
        expect(
          foreseen(parts).flatMap(({ at, message, skips }) => [
            ...skips.map(({ steps }) => [at, 'skip', ...steps.map(stepKey)]),
            ...(message === null ? [] : [[at, message.channel, ...message.steps.map(stepKey)]]),
          ]),
        ).toEqual(
          events.flatMap(({ at, event }) => {
            if (event.type === 'StepsSkipped')
              return [[at, 'skip', ...event.data.steps.map(stepKey)]]
            if (event.type === 'MessageDue')
              return [[at, event.data.channel, ...event.data.steps.map(stepKey)]]
            return []
          }),
        )
      }),
      { numRuns: 24 },
    )
  })

  it('ends each step once, and keeps hours, days and limits', () => {
    fc.assert(
      fc.property(arbitraryReminded, (parts) => {
        const { schedule } = parts.merchant
        const ended = new Set<string>()
        const end = (key: string) => {
          expect(ended.has(key)).toBe(false)
          ended.add(key)
        }
        const messages: string[] = []
        for (const { at, message, skips } of foreseen(parts)) {
          for (const { steps } of skips) for (const each of steps) end(stepKey(each))
          if (message === null) continue
          for (const each of [...message.steps, ...message.replaced]) end(stepKey(each))
          messages.push(message.day)
          const weekday = new Date(message.day).getUTCDay() || 7
          expect([...schedule.sendingDays]).toContain(weekday)
          expect(schedule.daysOff.has(message.day)).toBe(false)
          expect(message.steps.every(({ dueDay }) => dueDay <= message.day)).toBe(true)
          const minutes = localMinutes(at, parts.client.timeZone)
          if (message.channel === 'mail') expect(minutes).toBeLessThan(18 * 60)
          else
            for (const timeZone of parts.client.textZones) {
              expect(localMinutes(at, timeZone)).toBeGreaterThanOrEqual(8 * 60)
              expect(localMinutes(at, timeZone)).toBeLessThan(20 * 60)
            }
        }
        expect(new Set(messages).size).toBe(messages.length)
        for (const each of messages) {
          const week = messages.filter((other) => {
            const distance = (Date.parse(each) - Date.parse(other)) / 86_400_000
            return distance >= 0 && distance < 7
          })
          expect(week.length).toBeLessThanOrEqual(schedule.messagesPerWeek)
        }
      }),
      { numRuns: 90 },
    )
  })

  it('shares the clients of a day among the days by the limit of the merchant', () => {
    const clients = ['a', 'b', 'c'].map((name) => ({
      clientId: parseClientId(`client_${name}`),
      client: client(),
      receivables: [receivable('2026-11-10', { receivableId: `receivable_${name}` })],
      state: initialReminderState,
    }))
    const { isFull: _isFull, ...rest } = merchant()
    const result = forecast(
      {
        ...rest,
        merchantId,
        limitOn: () => 2,
        takenAt: (each) => (fullOn(new Set([day('2026-11-11')]))(each) ? 1 : 0),
      },
      clients,
      { from: '2026-11-09T05:00:00.000Z', until: '2026-11-20T05:00:00.000Z' },
    )
    expect(result.map((each) => [each.clientId, each.message?.day])).toEqual([
      ['client_a', '2026-11-10'],
      ['client_b', '2026-11-10'],
      ['client_c', '2026-11-11'],
    ])
    expect(newYork).toBe(rest.timeZone)
  })
})
