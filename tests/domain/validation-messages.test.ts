import { describe, expect, it } from '@jest/globals'
import { z } from 'zod'
import { checked } from '#services/http/checked'
import { HttpError } from '#services/http/http-error'

/** The API's answer to a value that does not match a contract. */
function refusal(schema: z.ZodType, value: unknown) {
  try {
    checked(schema, value)
  } catch (error) {
    if (error instanceof HttpError) return error.body
    throw error
  }
  throw new Error('The contract takes this value.')
}

const sentenceFor = (schema: z.ZodType, value: unknown) =>
  refusal(z.object({ full_name: schema }), { full_name: value }).error

describe('the API refuses a value that does not match its contract:', () => {
  it.each<[string, z.ZodType, unknown]>([
    ['Full name is required.', z.string(), undefined],
    ['Full name is required.', z.string(), null],
    ['Full name is required.', z.string().min(1), ''],
    ['Full name is required.', z.enum(['a', 'b']), undefined],
    ['Full name is required.', z.union([z.string(), z.number()]), undefined],
    ['Full name must be a text.', z.string(), 7],
    ['Full name must be a number.', z.coerce.number(), 'many'],
    ['Full name must be a whole number.', z.int(), 1.5],
    ['Full name must be true or false.', z.boolean(), 'yes'],
    ['Full name must be a list.', z.array(z.string()), 'a'],
    ['Full name must be an object with named fields.', z.object({}), 'a'],
    ['Full name has a value that is not allowed here.', z.date(), 'a'],
    ['Full name has at most 1 character.', z.string().max(1), 'ab'],
    ['Full name has at most 1,000 items.', z.array(z.int()).max(1000), Array(1001).fill(1)],
    ['Full name has at least 2 characters.', z.string().min(2), 'a'],
    ['Full name has exactly 2 characters.', z.string().length(2), 'abc'],
    ['Full name must be at most 100.', z.number().max(100), 101],
    ['Full name must be at least 1.', z.number().min(1), 0],
    ['Full name must be less than 100.', z.number().lt(100), 100],
    ['Full name must be more than 0.', z.number().gt(0), 0],
    ['Full name must be a multiple of 5.', z.number().multipleOf(5), 7],
    ['Full name must be one of a, b.', z.enum(['a', 'b']), 'c'],
    ['Full name must be true.', z.literal(true), false],
    ['Full name must be an e-mail address.', z.email(), 'a'],
    ['Full name must be a web address.', z.url(), 'a'],
    [
      'Full name must be an instant in UTC, such as 2026-03-03T09:12:00.000Z.',
      z.iso.datetime(),
      'a',
    ],
    ['Full name does not have the right form.', z.string().regex(/^\d+$/), 'a'],
    ['Full name has a value that is not allowed here.', z.union([z.boolean(), z.number()]), 'a'],
    ['Full name has a value that is not allowed here.', z.string().refine(() => false), 'a'],
    ['Full name, ab is not known here.', z.record(z.string().max(1), z.string()), { ab: 'c' }],
    [
      'Full name has an entry that is not allowed here.',
      z.map(z.object({}), z.string()),
      new Map([[{}, 7]]),
    ],
    ['Choose a name.', z.string('Choose a name.'), 7],
  ])('%s', (sentence, schema, value) => {
    expect(sentenceFor(schema, value)).toBe(sentence)
  })

  it.each<[string, string, z.ZodType, unknown]>([
    ['', 'The request must be an object with named fields.', z.object({}), 'a'],
    [
      'planDetails.totalPrice',
      'Plan details, total price is required.',
      z.object({ planDetails: z.object({ totalPrice: z.string() }) }),
      { planDetails: {} },
    ],
    [
      'tags.2',
      'Tags, item 3 must be a text.',
      z.object({ tags: z.array(z.string()) }),
      { tags: ['a', 'b', 3] },
    ],
    ['userId', 'User ID is required.', z.object({ userId: z.string() }), {}],
    ['returnUrl', 'Return URL is required.', z.object({ returnUrl: z.string() }), {}],
    ['support_email', 'Support e-mail is required.', z.object({ support_email: z.string() }), {}],
    ['otp', 'Code is required.', z.object({ otp: z.string() }), {}],
    ['colour', 'Colour is not known here.', z.strictObject({}), { colour: 'red' }],
    [
      'filter.colour',
      'Filter, colour is not known here.',
      z.object({ filter: z.strictObject({}) }),
      { filter: { colour: 'red' } },
    ],
    [' ', '" " is not known here.', z.strictObject({}), { ' ': 'red' }],
    ['0-0', '"0-0" is not known here.', z.strictObject({}), { '0-0': 'red' }],
    ['constructor', 'Constructor is not known here.', z.strictObject({}), { constructor: 'red' }],
  ])('the answer names the field %j in words: %s', (field, sentence, schema, value) => {
    expect(refusal(schema, value)).toEqual({ error: sentence, field, reason: expect.any(String) })
  })
})
