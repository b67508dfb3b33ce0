import { idAtProvider, textOfRef } from '#contracts/events/provider-ref'
import { reconciliationName, reconciliationReport } from '#contracts/finance/reconciliation-columns'
import type { Difference, Scope } from '#services/finance/reconciliation/compare'
import type { ComparedValue } from '#services/finance/reconciliation/compared-record'
import { monthOf } from '#services/finance/calendar'
import { compareTexts } from '#services/finance/compare-texts'
import { daysIn, type TimeZone } from '#services/finance/time-zone'
import { decimalAmount } from '../formats/decimal-amount.ts'
import type { ReportFile } from '../formats/report-file.ts'
import type { ReportParameters, ReportRow } from '#services/finance/reports/report-types'

export type ReconciliationScope = Pick<ReportParameters, 'from' | 'to' | 'currency' | 'timeZone'>

/**
 * An object of another currency, or whose time is outside the months, is out of scope. A
 * subscription has the time from its start to its end.
 */
export function scopeOf({ from, to, currency, timeZone }: ReconciliationScope): Scope {
  const dayOf = daysIn(timeZone)
  return ({ at, until, values }) =>
    (currency === null || isOfCurrency(values.currency, currency)) &&
    (to === null || monthOf(dayOf(at)) <= to) &&
    (from === null || until === null || monthOf(dayOf(until)) >= from)
}

/** An invoice and its charges can have different currencies: `jpy and usd`. */
function isOfCurrency(value: ComparedValue | undefined, currency: string): boolean {
  return typeof value === 'string' && value.split(' and ').includes(currency)
}

/** The report over the differences that were found, by date. */
export function reconciliationFile(
  differences: readonly Difference[],
  {
    parameters,
    timeZone,
    computedAt,
    position,
  }: Pick<ReportFile, 'parameters' | 'computedAt'> & {
    readonly timeZone: TimeZone
    readonly position: string | null
  },
): ReportFile {
  const dayOf = daysIn(timeZone)
  const ordered = differences.toSorted(
    (a, b) => compareTexts(a.at, b.at) || compareTexts(textOfRef(a.id), textOfRef(b.id)),
  )
  return {
    ...reconciliationReport,
    name: reconciliationName,
    parameters,
    computedAt,
    position: () => position,
    async *rows() {
      if (ordered.length > 0) yield ordered.map((each) => rowOf(each, dayOf(each.at)))
    },
  }
}

function rowOf(difference: Difference, date: string): ReportRow {
  const { kind, id, customerRef, userId, amount, field, log, provider, eventId } = difference
  return {
    object: kind,
    id: idAtProvider(id),
    customer: idAtProvider(customerRef),
    user_id: userId,
    date,
    currency: amount?.currency ?? null,
    amount: amount?.amount ?? null,
    field,
    log: inWords(log),
    provider: inWords(provider),
    log_event_id: eventId,
  }
}

function inWords(value: ComparedValue): string | null {
  if (value === null) return null
  return typeof value === 'object' ? decimalAmount(value.amount, value.currency) : String(value)
}
