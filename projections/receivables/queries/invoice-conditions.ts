import { daysOfBucket } from '#contracts/receivables/invoice-status'
import type { InvoiceFilter, InvoicesQuery } from '#contracts/receivables/invoices'
import { schemaOf } from '#projections/engine/read-model'
import type { Parameters } from '#projections/listing/parameters'
import { searchPattern } from '#projections/listing/search-text'
import { addDays, type Day } from '#services/finance/calendar'
import { receivables } from '../read-model.ts'
import { gramsOfSearch } from '../search-grams.ts'
import { noStepLeftConditions, type LeftStep } from './no-step-left.ts'

const schema = schemaOf(receivables)

/*
 * The list of a merchant's invoices. It does not use `projections/listing`: that engine reads the
 * counts of all classes of a table with each page, and a class per merchant and state would make
 * thousands of them. The query parameters are the same.
 */

type Filters = Pick<
  InvoicesQuery,
  'client' | 'currency' | 'bucket' | 'from' | 'to' | 'search' | 'steps'
> & {
  /** The steps of the schedule, for `steps`. Null: its last one is repeated: one is always left. */
  readonly schedule?: readonly LeftStep[] | null
}

/** A query of the list, with what it asks of the schedule. */
export type WithSchedule<Query> = Query & Pick<Filters, 'schedule'>

/** The states of the rows that a filter can have. */
export function statesOf(filter: InvoiceFilter): readonly string[] {
  switch (filter) {
    case 'paid':
    case 'written-off':
    case 'canceled':
      return [filter]
    case 'all':
      return ['open', 'paid', 'written-off', 'canceled']
    default:
      return ['open']
  }
}

/** The filters of open invoices with an agreement: few of them, so they are counted. */
export const agreed = ['promised', 'on-hold', 'disputed'] as const
export type Agreed = (typeof agreed)[number]

export function isAgreed(filter: InvoiceFilter): filter is Agreed {
  return agreed.some((kind) => kind === filter)
}

/** SQL of what a filter selects on the day `today`, a parameter. */
export function filterCondition(filter: InvoiceFilter, today: string): string {
  switch (filter) {
    case 'open':
    case 'paid':
    case 'written-off':
    case 'canceled':
      return `state = '${filter}'`
    case 'overdue':
      return `state = 'open' AND due_date < ${today}`
    case 'promised':
      return `has_agreement AND promised_by >= ${today}`
    case 'on-hold':
      return `has_agreement AND ${onHold(today)}`
    case 'disputed':
      return 'has_agreement AND is_disputed'
    case 'all':
      return 'true'
  }
}

/** A hold of the invoice or of its client that is not over. */
export function onHold(today: string): string {
  const holds = (is: string, until: string) =>
    `(${is} AND (${until} IS NULL OR ${until} > ${today}))`
  return `(${holds('is_held', 'hold_until')} OR ${holds('client_is_held', 'client_hold_until')})`
}

/** The due dates of a bucket of the aging scale. */
function dueDatesOf(bucket: NonNullable<InvoicesQuery['bucket']>, today: Day) {
  const { from, to } = daysOfBucket[bucket]
  return {
    first: to === null ? null : addDays(today, -to),
    last: from === null ? null : addDays(today, -from),
  }
}

/** The due dates that the query limits, both included. Null limits nothing. */
export function dueRange({ bucket, from, to }: Filters, today: Day) {
  const of = bucket === undefined ? { first: null, last: null } : dueDatesOf(bucket, today)
  const later = [from, of.first].filter((day) => day !== null && day !== undefined)
  const earlier = [to, of.last].filter((day) => day !== null && day !== undefined)
  return { first: later.sort().at(-1) ?? null, last: earlier.sort()[0] ?? null }
}

/**
 * How a search finds its rows: by the index of the parts of texts, or by reading the rows of the
 * merchant in the order of the list, until the page is full.
 */
export type SearchBy = 'grams' | 'order'

/** What all rows of the query meet besides its filter. */
export function baseConditions(
  merchantId: string,
  query: Filters,
  today: Day,
  parameters: Parameters,
  searchBy: SearchBy,
): readonly string[] {
  const { first, last } = dueRange(query, today)
  const byGrams = query.search !== '' && searchBy === 'grams'
  const merchant = parameters.add(merchantId)
  const ofMerchant = `merchant_id = ${merchant}`
  return [
    // The planner uses no index for a comparison with false.
    byGrams ? `(${ofMerchant}) > false` : ofMerchant,
    ...(byGrams
      ? [`search_grams @> ${parameters.add(gramsOfSearch(merchantId, query.search))}::integer[]`]
      : []),
    ...(query.client === undefined ? [] : [`client_id = ${parameters.add(query.client)}`]),
    ...(query.currency === undefined ? [] : [`currency = ${parameters.add(query.currency)}`]),
    ...(query.bucket === undefined ? [] : [`state = 'open'`]),
    ...(first === null ? [] : [`due_date >= ${parameters.add(first)}`]),
    ...(last === null ? [] : [`due_date <= ${parameters.add(last)}`]),
    ...(query.steps === undefined
      ? []
      : withoutSteps(query.schedule ?? null, merchant, parameters)),
    ...(query.search === '' ? [] : [matches(query.search, parameters)]),
  ]
}

function withoutSteps(
  schedule: readonly LeftStep[] | null,
  merchant: string,
  parameters: Parameters,
): readonly string[] {
  if (schedule === null) return ['false']
  return [
    ...noStepLeftConditions(schedule, merchant, parameters),
    `client_id NOT IN (SELECT client_id FROM ${schema}.client WHERE is_erased)`,
  ]
}

export function matches(search: string, parameters: Parameters): string {
  return `search_text LIKE ${parameters.add(searchPattern(search))}`
}
