import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { parseClientId } from '#contracts/ids'
import { forecast, type ForecastClient } from '#services/receivables/reminders/forecast'
import { localTime } from '#services/receivables/reminders/local-time'
import { placesAhead } from '#services/receivables/reminders/places-ahead'
import { planClient } from '#services/receivables/reminders/plan-client'
import { initialReminderState } from '#services/receivables/reminders/reminder-state'
import { start } from '../../../support/receivables/arbitrary-reminders.ts'
import {
  client,
  day,
  merchant,
  merchantId,
  newYork,
  receivable,
  schedule,
  step,
} from '../../../support/receivables/reminders.ts'

const until = new Date(Date.parse(start) + 40 * 86_400_000).toISOString()
const { isFull: _isFull, ...sending } = merchant({
  schedule: schedule([step(0)], { daysOff: new Set([day('2026-10-12')]) }),
})
const ofClient = (index: number, dueDate: string): ForecastClient => ({
  clientId: parseClientId(`client_${String(index).padStart(2, '0')}`),
  client: client(),
  receivables: [receivable(dueDate, { receivableId: `receivable_${index}` })],
  state: initialReminderState,
})

describe('the places that other clients take first', () => {
  it('give each client the day that it has among all clients of the merchant', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 4, max: 16 }), { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 0, max: 2 }),
        (days, limit, taken) => {
          const clients = days.map((each, index) =>
            ofClient(index, `2026-10-${String(each).padStart(2, '0')}`),
          )
          const { dayOf } = localTime(newYork)
          const takenOn = (each: string) => (each === '2026-10-05' ? taken : 0)
          const shared = { ...sending, merchantId, limitOn: () => limit }
          const all = forecast({ ...shared, takenAt: (at) => takenOn(dayOf(at)) }, clients, {
            from: start,
            until,
          })
          for (const one of clients) {
            const others = clients.flatMap((other) => {
              const parts = { ...other, merchant: { ...sending, isFull: () => false } }
              const { nextAt } = planClient(parts, other.state, start)
              const isBefore = other.clientId < one.clientId
              return other === one || nextAt === null
                ? []
                : [{ at: nextAt, before: isBefore ? 1 : 0, after: isBefore ? 0 : 1 }]
            })
            const ahead = placesAhead(others, { ...shared, takenOn })
            const alone = forecast({ ...shared, takenAt: ahead }, [one], { from: start, until })
            expect(alone).toEqual(all.filter(({ clientId }) => clientId === one.clientId))
          }
        },
      ),
      { numRuns: 100 },
    )
  })
})
