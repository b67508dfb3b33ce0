import { describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { eventCatalogue } from '#contracts/events/catalogue'
import { mayGrow } from '#contracts/events/define-event'
import { grownField } from '#services/event-store/grown-field'

const kind = mayGrow(
  z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('card'), brand: mayGrow(z.enum(['visa', 'amex'])) }),
    z.object({ kind: z.literal('cash'), brand: z.string().optional() }),
  ]),
)
const schema = z.object({
  status: mayGrow(z.enum(['open', 'closed'])),
  fixed: z.enum(['day', 'week']),
  ways: z.array(kind).optional(),
})
const known = { status: 'open', fixed: 'day' }

describe('the field of a payload with a value that this release does not know', () => {
  it.each<[string, unknown, string | null]>([
    ['every value is known', { ...known, ways: [{ kind: 'card', brand: 'visa' }] }, null],
    ['a field that may grow has another text', { ...known, status: 'spam' }, 'status'],
    ['such a field has no text', { ...known, status: 3 }, null],
    ['such a field is missing', { fixed: 'day' }, null],
    ['a field that may not grow has another text', { ...known, fixed: 'year' }, null],
    [
      'an object of a list is of another kind',
      { ...known, ways: [{ kind: 'cash' }, { kind: 'crypto' }] },
      'ways.1.kind',
    ],
    [
      'an object of a known kind has another text',
      { ...known, ways: [{ kind: 'card', brand: 'elo' }] },
      'ways.0.brand',
    ],
    [
      'another kind of object may have the text',
      { ...known, ways: [{ kind: 'cash', brand: 'elo' }] },
      null,
    ],
    ['the payload is no object', 'spam', null],
  ])('is named, or null: %s', (_case, data, field) => {
    expect(grownField(schema, data)).toBe(field)
  })
})

describe('the enums and the kinds of stored events', () => {
  it('may all grow: mark each with mayGrow', () => {
    const fixed = Object.entries(eventCatalogue).flatMap(([type, { schema: payload }]) =>
      setsWithoutMark(z.toJSONSchema(payload, { io: 'input' }), type),
    )
    // Other days of reminders are another plan of reminders.
    expect(fixed).toEqual(['DunningReminderDue.properties.day'])
  })
})

/** The paths of enums, and of unions of kinds, that have no mark. */
function setsWithoutMark(node: unknown, path: string): readonly string[] {
  if (typeof node !== 'object' || node === null) return []
  const isSet =
    'enum' in node || ('oneOf' in node && JSON.stringify(node.oneOf).includes('"const"'))
  return [
    ...(isSet && !('mayGrow' in node) ? [path] : []),
    ...Object.entries(node).flatMap(([key, value]) => setsWithoutMark(value, `${path}.${key}`)),
  ]
}
