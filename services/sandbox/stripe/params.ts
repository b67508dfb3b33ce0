import type Stripe from 'stripe'
import { z } from 'zod'
import { invalid, type StripeRefusal } from './errors.ts'
import type { UnknownToSdk } from './known-to-sdk.ts'

/** Appears in the compiler's message about a parameter that the SDK's type does not have. */
interface NotInSdk<NameOrWord> {
  readonly notInSdk: NameOrWord
}

/** The schema's values are the SDK's, and every name and word in it is known to the SDK. */
type SchemaOf<Param, Schema> =
  Schema extends z.ZodType<infer Given>
    ? [UnknownToSdk<Given, Param>] extends [never]
      ? z.ZodType<Param>
      : NotInSdk<UnknownToSdk<Given, Param>>
    : z.ZodType<Param>

/**
 * The parameters of one call. The schema is strict: a parameter that the sandbox does not simulate
 * is refused instead of ignored. The compiler checks names, values and listed words against the
 * SDK's type, nested ones included.
 */
export function paramsOf<Params>() {
  return <
    Shape extends {
      [Key in keyof Shape]: Key extends keyof Params ? SchemaOf<Params[Key], Shape[Key]> : never
    },
  >(
    shape: Shape,
  ) => z.strictObject(shape)
}

/* A form has only text; these schemas parse the values that the SDK writes. */

export const text = z
  .string()
  .min(1, 'must not be empty')
  .max(5_000, 'is longer than 5000 characters')
/** As HTML forms accept it. Stripe accepts every address that can exist. */
export const mailAddress = z.email({
  pattern: z.regexes.html5Email,
  error: 'is not an e-mail address',
})
export const emptiableText = z.string().max(5_000, 'is longer than 5000 characters')
export const integer = z
  .string()
  .regex(/^-?\d{1,15}$/, 'must be an integer')
  .transform(Number)
export const count = integer.pipe(z.number().min(1, 'must be at least 1'))
export const flag = z
  .enum(['true', 'false'], 'must be true or false')
  .transform((value) => value === 'true')
export const absoluteUrl = z
  .string()
  .max(5_000)
  .refine(
    (value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol),
    'must be an absolute http or https address',
  )

/** Accepts `''`, with which the caller deletes a value. */
export function emptyable<Schema extends z.ZodType>(schema: Schema) {
  return z.union([z.literal(''), schema])
}

export const metadata = z.record(
  z.string().min(1).max(40, 'has a key of more than 40 characters'),
  z.string().max(500, 'has a value of more than 500 characters'),
)

/**
 * Merges new metadata into old: an empty value deletes its key, and `''` instead of a hash deletes
 * all keys.
 */
export function mergeMetadata(
  old: Stripe.Metadata,
  change: Record<string, string> | '' | undefined,
): Stripe.Metadata {
  if (change === undefined) return old
  if (change === '') return {}
  return Object.fromEntries(
    Object.entries({ ...old, ...change }).filter(([, value]) => value !== ''),
  )
}

export const address = z.strictObject({
  city: emptiableText.optional(),
  country: emptiableText.optional(),
  line1: emptiableText.optional(),
  line2: emptiableText.optional(),
  postal_code: emptiableText.optional(),
  state: emptiableText.optional(),
}) satisfies z.ZodType<Stripe.AddressParam>

export function toAddress(given: z.infer<typeof address> | '' | undefined): Stripe.Address | null {
  if (given === undefined || given === '') return null
  const { city, country, line1, line2, postal_code, state } = given
  return {
    city: city || null,
    country: country || null,
    line1: line1 || null,
    line2: line2 || null,
    postal_code: postal_code || null,
    state: state || null,
  }
}

const range = z.strictObject({
  gt: integer.optional(),
  gte: integer.optional(),
  lt: integer.optional(),
  lte: integer.optional(),
})
export const created = z.union([integer, range])

export const paging = {
  limit: integer
    .pipe(z.number().min(1, 'must be from 1 to 100').max(100, 'must be from 1 to 100'))
    .optional(),
  starting_after: text.optional(),
  ending_before: text.optional(),
}

/** `line_items[0][price]`, as Stripe names a parameter. */
function paramName(path: readonly PropertyKey[]): string {
  const [first = '', ...rest] = path.map(String)
  return first + rest.map((part) => `[${part}]`).join('')
}

type Issue = z.core.$ZodIssue

/**
 * The issues with their full paths. A union has the issues of the form that the caller chose: the
 * form with an issue below its own level, else the form whose type fits. Without one the union
 * itself is the issue.
 */
function issuesOf(issue: Issue, parent: readonly PropertyKey[] = []): readonly Issue[] {
  const path = [...parent, ...issue.path]
  const forms = issue.code === 'invalid_union' ? issue.errors : []
  const chosen =
    forms.find((form) =>
      form.some(({ code, path: below }) => below.length > 0 || code === 'unrecognized_keys'),
    ) ??
    forms.find((form) =>
      form.every(({ code }) => code !== 'invalid_type' && code !== 'invalid_value'),
    )
  return chosen === undefined
    ? [{ ...issue, path }]
    : chosen.flatMap((inner) => issuesOf(inner, path))
}

/** The first unknown parameter, else the first invalid one, in Stripe's words. */
export function refusalOf(error: z.ZodError): StripeRefusal {
  const issues = error.issues.flatMap((found) => issuesOf(found))
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0]
  if (!issue) return invalid('Invalid request.')
  if (issue.code === 'unrecognized_keys') {
    const param = paramName([...issue.path, issue.keys[0] ?? ''])
    return invalid(
      `Received unknown parameter: ${param}. (The sandbox does not simulate this parameter.)`,
      { code: 'parameter_unknown', param },
    )
  }
  const param = paramName(issue.path)
  if (
    (issue.code === 'invalid_type' || issue.code === 'invalid_value') &&
    issue.input === undefined
  )
    return invalid(`Missing required param: ${param}.`, { code: 'parameter_missing', param })
  const code = issue.message === 'must be an integer' ? 'parameter_invalid_integer' : undefined
  return invalid(`Invalid ${param}: ${issue.message}`, {
    param,
    ...(code === undefined ? {} : { code }),
  })
}
