import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { billingEvents, type BillingEvent } from '#contracts/events/billing'
import type { DomainEvent, RecordedEvent } from '#contracts/events/catalogue'
import { reportNames } from '#contracts/finance/report-columns'
import type { StoredEvent } from '#services/event-store/event-store'
import { createAccountingDates } from '#services/finance/accounting-date'
import { parseParameters } from '#services/reports/parse-parameters'
import { reportByName } from '#services/reports/report-by-name'
import type { FinanceEvent } from '#services/finance/finance-event'
import type { ReportRow } from '#services/finance/reports/report-types'
import { arbitraryHistoryOf } from '../../support/data/arbitrary-history.ts'
import { billing, subscriptionStarted } from '../../support/data/events.ts'
import { zone } from '../../support/data/finance-values.ts'
import { reportsOver } from '../../support/data/run-reports.ts'

const types = Object.keys(billingEvents) as BillingEvent['type'][]

function isBilling(event: RecordedEvent): event is FinanceEvent {
  return Object.hasOwn(billingEvents, event.type)
}

/** The events in a log of two pages. */
function logOf(events: readonly StoredEvent[]) {
  return reportsOver({
    readAll: async function* () {
      yield events.slice(0, 1)
      yield events.slice(1)
    },
  })
}

const stored = (event: RecordedEvent<DomainEvent>): StoredEvent =>
  JSON.parse(JSON.stringify(event)) as StoredEvent

describe('a report', () => {
  it('has the same rows from the events that it handles as from all events', () => {
    const parsed = parseParameters({}, zone('UTC'), '2028-01-01T00:00:00.000Z')
    if (parsed.kind === 'refused') throw new Error(parsed.problem)
    fc.assert(
      fc.property(arbitraryHistoryOf(types), fc.constantFrom(...reportNames), (history, name) => {
        const report = reportByName(name)
        const rowsOf = (events: readonly FinanceEvent[]): readonly ReportRow[] => {
          const run = report.begin(
            parsed.parameters,
            createAccountingDates(parsed.parameters.timeZone),
          )
          return [...events.flatMap((event) => run.add(event)), ...run.finish()]
        }
        const events = history.filter(isBilling)
        expect(rowsOf(events.filter(({ type }) => report.handles.has(type)))).toEqual(
          rowsOf(events),
        )
      }),
    )
  })

  it('stops at an event of a customer that a newer release wrote', async () => {
    const [first, next] = [subscriptionStarted('usr_1'), subscriptionStarted('usr_2')]
    const newer = { ...stored(next), type: 'SubscriptionSold', position: '2' }
    await expect(logOf([stored(first), newer]).compute('revenue')).rejects.toThrow(
      /Release \S+ does not know its type\. A newer release wrote it/,
    )
  })

  it('stops at a newer version of an event, also of a type that it does not read', async () => {
    const [first, next] = [subscriptionStarted('usr_1'), subscriptionStarted('usr_2')]
    const newer = { ...stored(next), type: 'CheckoutStarted', position: '2' }
    expect(reportByName('mrr').handles.has('CheckoutStarted')).toBe(false)
    const metadata = { ...newer.metadata, schemaVersion: 9 }
    await expect(logOf([stored(first), { ...newer, metadata }]).compute('mrr')).rejects.toThrow(
      /It has schema version 9, and release \S+ knows version/,
    )
  })

  it('of what was known takes no event of a stream without the events before it', async () => {
    const started = subscriptionStarted('usr_1', {}, { position: '1' })
    const ended = billing(
      'usr_1',
      {
        type: 'SubscriptionEnded',
        data: {
          subscriptionId: 'subscription_1',
          why: 'canceled',
          endedAt: '2026-03-03T10:00:00Z',
        },
      },
      { position: '2', revision: 1 },
    )
    // The clock of the process that recorded the end is 5 ms behind.
    const at = (event: RecordedEvent, recordedAt: string) => ({
      ...stored(event),
      metadata: { ...stored(event).metadata, recordedAt },
    })
    const log = logOf([
      at(started, '2026-03-03T10:00:00.010Z'),
      at(ended, '2026-03-03T10:00:00.005Z'),
    ])
    const knownAt = '2026-03-03T10:00:00.007Z'
    expect(await log.compute('subscriptions', { knownAt })).toEqual({ rows: [], position: null })
  })
})
