import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { eventCatalogue, type DomainEvent, type RecordedEvent } from '#contracts/events/catalogue'
import { readModels } from '#projections/read-models'
import { protectionOf } from '#services/event-store/encryption/personal-fields'
import { arbitraryHistoryOf, withoutPersons } from '../../support/data/arbitrary-history.ts'
import { categoryOfType } from '../../support/data/category-of-type.ts'
import { recorded } from '../../support/data/events.ts'
import { samplePayloads } from '../../support/data/sample-payloads.ts'
import { rowsOf } from '../../support/projections/read-model-fixture.ts'
import { sharedReadModelFixture } from '../../support/projections/shared-read-model-fixture.ts'

/*
 * The tables that folded readable fields before an erasure have the rows of a rebuild, which reads
 * '[erased]' in every personal field. So an erasure leaves no personal field in them, and
 * `projections verify` finds them equal.
 */

const db = sharedReadModelFixture()
const erasing = ['PersonalDataErased', 'EnquiryErased', 'ClientErased'] as const

/** The erasures of the persons and of the enquiries in the streams of the events. */
function erasuresOf(events: readonly RecordedEvent[]): readonly RecordedEvent[] {
  const streams = [...new Set(events.map(({ stream }) => stream))]
  return erasing.flatMap((type) =>
    streams
      .filter((stream) => stream.startsWith(`${categoryOfType(type)}-`))
      .map((stream) =>
        recorded(stream, {
          type,
          data: type === 'ClientErased' ? ofClient(stream, events) : {},
        } as DomainEvent),
      ),
  )
}

/** Whose client the stream is: an erasure names both, as every event of a client does. */
function ofClient(stream: string, events: readonly RecordedEvent[]) {
  const first = events.find((event) => event.stream === stream)
  if (first === undefined || !('clientId' in first.data) || !('merchantId' in first.data))
    throw new Error(`${stream} has no client.`)
  return { merchantId: first.data.merchantId, clientId: first.data.clientId }
}

const withErasures = (events: readonly RecordedEvent[]) =>
  [...events, ...erasuresOf(events)].map((event, index) => ({
    ...event,
    revision: index,
    position: String(index + 1),
  }))

/** Every type with a personal field, and the erasures. */
const personalTypes = (Object.keys(samplePayloads) as DomainEvent['type'][]).filter((type) => {
  const schema = eventCatalogue[type]?.schema
  return erasing.some((each) => each === type) || (schema && protectionOf(schema) !== null)
})

/** One event of every type, with a value in every personal field, and then the erasures. */
const everyEvent = withErasures(
  (Object.keys(samplePayloads) as DomainEvent['type'][])
    .filter((type) => !erasing.some((each) => each === type))
    .map((type) =>
      recorded(`${categoryOfType(type)}-usr_1`, {
        type,
        // All are about one person.
        data: {
          ...samplePayloads[type],
          ...('merchantId' in samplePayloads[type] && { merchantId: 'usr_1' }),
        },
      } as DomainEvent),
    ),
)

/** The personal values of the events. */
const personalValues = everyEvent.flatMap(({ type, data }) => {
  const schema = eventCatalogue[type]?.schema
  const values: string[] = []
  if (schema) protectionOf(schema)?.(data, '', (value) => values.push(String(value)))
  return values
})

describe('an erasure', () => {
  it.each(readModels)(
    'leaves no personal field of any event in the tables ($name)',
    async (model) => {
      expect(personalValues.length).toBeGreaterThan(40)
      await db.given(model, withoutPersons(everyEvent))
      const rebuilt = await rowsOf(db.pool, model)
      for (const batchSize of [1, everyEvent.length]) {
        await db.given(model, everyEvent, batchSize)
        const live = await rowsOf(db.pool, model)
        const texts = JSON.stringify(live)
        expect(personalValues.filter((value) => texts.includes(value))).toEqual([])
        expect(live).toEqual(rebuilt)
      }
    },
  )

  it.each(readModels)('gives the rows of a rebuild after any history ($name)', async (model) => {
    await fc.assert(
      fc.asyncProperty(
        arbitraryHistoryOf(personalTypes),
        fc.integer({ min: 1, max: 40 }),
        async (history, size) => {
          const events = withErasures(history)
          await db.given(model, events, size)
          const live = await rowsOf(db.pool, model)
          await db.given(model, withoutPersons(events), size)
          expect(live).toEqual(await rowsOf(db.pool, model))
        },
      ),
      { numRuns: 10 },
    )
  })
})
