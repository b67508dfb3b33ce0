import { describe, expect, it } from '@jest/globals'
import { eventSentence } from '#contracts/event-sentences'
import { eventCatalogue } from '#contracts/events/catalogue'
import type { DomainEvent } from '#contracts/events/catalogue'
import { samplePayloads } from '../support/data/sample-payloads.ts'

const events = Object.entries(samplePayloads).map(([type, data]) => ({ type, data }) as DomainEvent)

describe('the sentence of an event', () => {
  it('exists for every type of the catalogue', () => {
    expect(events.map(({ type }) => type).sort()).toEqual(Object.keys(eventCatalogue).sort())
  })

  it.each(events.map((event) => [event.type, event] as const))(
    'of type %s is complete and names no missing value',
    (_type, event) => {
      const sentence = eventSentence(event)
      expect(sentence).toMatch(/^[A-Z].{8,}\.?$/)
      expect(sentence).not.toMatch(/undefined|null|\[object|NaN|Invalid Date/)
    },
  )

  it('differs between types', () => {
    const sentences = events.map(eventSentence)
    expect(new Set(sentences).size).toBe(sentences.length)
  })

  it.each([
    [{ type: 'SignedOut', data: {} }, 'A browser was signed out.'],
    [
      { type: 'DataExported', data: { ...samplePayloads.DataExported, rows: 1 } },
      'An administrator exported 1 row of the list users as CSV.',
    ],
    [
      {
        type: 'DataExported',
        data: { ...samplePayloads.DataExported, list: 'reports/failed-payments', rows: null },
      },
      'An administrator exported the report failed payments as CSV.',
    ],
    [{ type: 'SignedOut', data: { everywhere: true } }, 'All browsers were signed out.'],
    [{ type: 'SignedOut', data: { otherSession: true } }, 'Another browser was signed out.'],
    [
      {
        type: 'SubscriptionEnded',
        data: { subscriptionId: 's', why: 'blocked', endedAt: '2026-03-03T23:59:00.000Z' },
      },
      'The subscription ended on Mar 3, 2026: the account was blocked or deleted.',
    ],
    [
      {
        type: 'SubscriptionPaused',
        data: {
          subscriptionId: 's',
          resumesAt: null,
          changedAt: '2026-03-03T09:12:00.000Z',
          isInferred: false,
        },
      },
      'The subscription was paused.',
    ],
  ] as const satisfies readonly (readonly [DomainEvent, string])[])(
    'says what the data says: %j',
    (event, sentence) => {
      expect(eventSentence<DomainEvent['type']>(event)).toBe(sentence)
    },
  )
})
