import { currency as currencyCode } from '#contracts/money'
import { instant as instantText, type Instant } from '#contracts/instant'
import { firstDayOf, parseDay, parseMonth, type Day } from '#services/finance/calendar'
import { daysIn, type TimeZone } from '#services/finance/time-zone'
import type { ReportParameters } from '#services/finance/reports/report-types'

/** What a caller asks for, as texts. A missing member was not given. */
export interface GivenParameters {
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly asOf?: string | undefined
  readonly knownAt?: string | undefined
  readonly currency?: string | undefined
}

/** How a caller names each parameter, for sentences about a wrong value. */
export type ParameterNames = Readonly<Record<keyof GivenParameters, string>>

/** The options of the command. */
export const optionNames: ParameterNames = {
  from: '--from',
  to: '--to',
  asOf: '--as-of',
  knownAt: '--known-at',
  currency: '--currency',
}

export type ParsedParameters =
  | { readonly kind: 'parsed'; readonly parameters: ReportParameters }
  /** `problem` is a sentence that names the wrong value. */
  | { readonly kind: 'refused'; readonly problem: string }

/** A report has a row per month, so a later year would be a mistake with thousands of rows. */
const end = '2200'

/**
 * Checks what a caller asks for. `asOf` is today by default. A later day is a forecast: the events
 * that are known recognize revenue until that day.
 * @param now the business clock's time
 */
export function parseParameters(
  given: GivenParameters,
  timeZone: TimeZone,
  now: Instant,
  names: ParameterNames = optionNames,
): ParsedParameters {
  const from = given.from === undefined ? null : parseMonth(given.from)
  const to = given.to === undefined ? null : parseMonth(given.to)
  if (given.from !== undefined && from === null) return wrongMonth(names.from, given.from)
  if (given.to !== undefined && to === null) return wrongMonth(names.to, given.to)
  const asOf = given.asOf === undefined ? daysIn(timeZone)(now) : parseDay(given.asOf)
  if (asOf === null)
    return refused(`${names.asOf} ${given.asOf} is no day. Write it as 2026-03-31.`)
  const tooLate = [from, to, asOf].find((each) => each !== null && each >= end)
  if (tooLate !== undefined)
    return refused(`${tooLate} is too late. Reports end before the year ${end}.`)
  if (from !== null && to !== null && from > to)
    return refused(`${names.from} ${from} is after ${names.to} ${to}. Exchange them.`)

  if (from !== null && firstDayOf(from) > asOf)
    return refused(
      `${names.from} ${from} is after ${names.asOf} ${asOf}. Name an earlier month, or a later day.`,
    )

  const knownAt = given.knownAt === undefined ? null : knownAtOf(given.knownAt)
  if (given.knownAt !== undefined && knownAt === null)
    return refused(
      `${names.knownAt} ${given.knownAt} is no time. Write it as 2026-03-31 or 2026-03-31T12:00:00Z.`,
    )

  const currency = given.currency?.toLowerCase() ?? null
  if (currency !== null && !isCurrency(currency))
    return refused(`${names.currency} ${given.currency} is no ISO 4217 currency. Write it as usd.`)

  return { kind: 'parsed', parameters: { from, to, asOf, knownAt, currency, timeZone } }
}

function refused(problem: string): ParsedParameters {
  return { kind: 'refused', problem }
}

function wrongMonth(option: string, text: string): ParsedParameters {
  return refused(`${option} ${text} is no month. Write it as 2026-03.`)
}

/** A day stays a day: it means its end in the reporting time zone. */
function knownAtOf(text: string): Day | Instant | null {
  const day = parseDay(text)
  if (day !== null) return day
  // With milliseconds, so that texts sort as times.
  return instantText.safeParse(text).success ? new Date(text).toISOString() : null
}

const currencies = new Set(Intl.supportedValuesOf('currency').map((code) => code.toLowerCase()))

function isCurrency(text: string): boolean {
  return currencyCode.safeParse(text).success && currencies.has(text)
}
