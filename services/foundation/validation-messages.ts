import type { z } from 'zod'
import { fieldInWords } from './field-in-words.ts'

/**
 * Words a zod issue for people, without the field's name: "has at most 200 characters." Pass this
 * function to `safeParse`. A message that the contract itself states takes precedence.
 */
export const reasonInWords: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return wrongType(issue)
    case 'too_big':
      return outOfBounds(
        issue.origin,
        issue.exact === true ? 'exactly' : 'at most',
        Number(issue.maximum),
        issue.inclusive,
      )
    case 'too_small':
      if (issue.input === '') return required
      return outOfBounds(
        issue.origin,
        issue.exact === true ? 'exactly' : 'at least',
        Number(issue.minimum),
        issue.inclusive,
      )
    case 'invalid_format':
      return formats.get(issue.format) ?? 'does not have the right form.'
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}.`
    case 'invalid_value':
      return issue.input === undefined ? required : oneOf(issue.values)
    case 'unrecognized_keys':
    case 'invalid_key':
      return 'is not known here.'
    case 'invalid_union':
      return issue.input === undefined ? required : notAllowed
    case 'invalid_element':
      return 'has an entry that is not allowed here.'
    case 'custom':
      return notAllowed
  }
}

/**
 * The first problem. `field` is its path, such as `planDetails.id`, or the path of the unknown
 * field; '' is the whole value.
 */
export function firstProblem(error: z.ZodError): {
  readonly field: string
  readonly reason: string
} {
  const [issue] = error.issues
  if (!issue) return { field: '', reason: notAllowed }
  const path =
    issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys[0] ?? ''] : issue.path
  return { field: path.map(String).join('.'), reason: issue.message }
}

/**
 * A reason that begins in lower case continues the field's name: "Price ID is required." Any other
 * reason is a sentence.
 */
export function problemSentence({
  field,
  reason,
}: {
  readonly field: string
  readonly reason: string
}): string {
  return /^[a-z]/.test(reason) ? `${fieldInWords(field)} ${reason}` : reason
}

const required = 'is required.'
const notAllowed = 'has a value that is not allowed here.'

const types = new Map([
  ['string', 'must be a text.'],
  ['number', 'must be a number.'],
  ['int', 'must be a whole number.'],
  ['boolean', 'must be true or false.'],
  ['array', 'must be a list.'],
  ['object', 'must be an object with named fields.'],
  ['record', 'must be an object with named fields.'],
])

const formats = new Map([
  ['email', 'must be an e-mail address.'],
  ['url', 'must be a web address.'],
  ['datetime', 'must be an instant in UTC, such as 2026-03-03T09:12:00.000Z.'],
  ['date', 'must be a date, such as 2026-03-03.'],
  ['uuid', 'must be a UUID.'],
])

function wrongType({
  expected,
  input,
}: {
  readonly expected: string
  readonly input: unknown
}): string {
  return input === undefined || input === null ? required : (types.get(expected) ?? notAllowed)
}

function outOfBounds(origin: string, bound: string, limit: number, isInclusive = true): string {
  const unit =
    origin === 'string' ? 'character' : origin === 'array' || origin === 'set' ? 'item' : null
  const number = limit.toLocaleString('en-US')
  if (unit !== null) return `has ${bound} ${number} ${unit}${limit === 1 ? '' : 's'}.`
  if (isInclusive) return `must be ${bound} ${number}.`
  return `must be ${bound === 'at most' ? 'less' : 'more'} than ${number}.`
}

function oneOf(values: readonly z.core.util.Primitive[]): string {
  const [only] = values
  return values.length === 1
    ? `must be ${String(only)}.`
    : `must be one of ${values.map(String).join(', ')}.`
}
