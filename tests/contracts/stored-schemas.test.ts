import { readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { event, mayGrow, personal, type EventDefinitions } from '#contracts/events/define-event'
import {
  currentEventSchemas,
  eventSchemasFile,
  parseEventSchemas,
  refusedChanges,
  schemaChanges,
} from '../../scripts/stored-schemas/event-schemas.ts'

const address = { street: personal(z.string()), city: z.string() }
const status = z.enum(['open', 'closed'])
const moved = event(['message'], { status, addresses: z.array(z.object(address)) })
const committed = currentEventSchemas({}, { Moved: moved, Left: event(['message'], {}) })

const changesTo = (catalogue: EventDefinitions) =>
  schemaChanges(committed, { Left: event(['message'], {}), ...catalogue }).map(
    ({ breaks, sentence }) => `${breaks ? 'breaks' : 'adds'}: ${sentence}`,
  )

describe('the committed schemas of stored events', () => {
  it('are those of the code', () => {
    const file = parseEventSchemas(readFileSync(eventSchemasFile, 'utf8'))
    expect(schemaChanges(file).map(({ sentence }) => sentence)).toEqual([])
  })
})

describe('a change of a stored schema', () => {
  it('is none if only the order of fields differs', () => {
    const { city, street } = address
    const reordered = event(['message'], { addresses: z.array(z.object({ city, street })), status })
    expect(changesTo({ Moved: reordered })).toEqual([])
  })

  it.each<[string, z.ZodRawShape]>([
    ['another field', { ...moved.schema.shape, at: z.string() }],
    ['a new value', { ...moved.schema.shape, status: z.enum(['open', 'closed', 'spam']) }],
    ['a lost value', { ...moved.schema.shape, status: z.enum(['open']) }],
    ['an optional field', { ...moved.schema.shape, status: status.optional() }],
    [
      'a field that is no longer personal, at any depth',
      { status, addresses: z.array(z.object({ ...address, street: z.string() })) },
    ],
  ])('needs a new version: %s', (_change, shape) => {
    expect(changesTo({ Moved: event(['message'], shape) })).toEqual([
      expect.stringMatching(
        /^breaks: The stored schema of Moved v1 has changed\. Raise the schema version and write an upcaster .*`npm run stored-schemas` accepts/,
      ),
    ])
  })

  it('needs no new version if a field that may grow has new values', () => {
    const growing = (...values: [string, ...string[]]) => ({
      Moved: event(['message'], { status: mayGrow(z.enum(values)) }),
    })
    const before = currentEventSchemas({}, growing('open', 'closed'))
    expect(schemaChanges(before, growing('open', 'closed', 'spam'))).toEqual([
      { breaks: false, sentence: expect.stringContaining('raise `version` in package.json') },
    ])
    expect(schemaChanges(before, growing('open', 'spam'))).toMatchObject([{ breaks: true }])
  })

  it('with a new version keeps the schema of the old version', () => {
    const second = { Moved: event(['message'], { status }, [({ status: of }) => ({ status: of })]) }
    expect(changesTo(second)).toEqual([
      expect.stringMatching(/^adds: Moved v2 is not in .*Run `npm run stored-schemas`/),
    ])
    const { Moved } = currentEventSchemas(committed, second)
    expect(Object.keys(Moved ?? {})).toEqual(['1', '2'])
    expect(Moved?.['1']).toEqual(committed['Moved']?.['1'])
  })

  it('without a new version is accepted by the command only before release 1.0', () => {
    const changes = schemaChanges(committed, {
      Moved: event(['message'], { status }),
      New: event(['message'], {}),
    })
    expect(refusedChanges(changes, '0.9.0')).toEqual([])
    expect(refusedChanges(changes, '1.0.0').map(({ sentence }) => sentence)).toEqual([
      expect.stringMatching(/^The code no longer has Left v1/),
      expect.stringMatching(/^The stored schema of Moved v1/),
    ])
  })

  it('is also a type that the code no longer has', () => {
    expect(changesTo({})).toEqual([
      expect.stringMatching(/^breaks: The code no longer has Moved v1/),
    ])
  })
})
