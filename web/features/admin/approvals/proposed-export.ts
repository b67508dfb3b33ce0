import type { ExportProposalItem } from '#contracts/admin/export-proposals'
import { exportName } from '#contracts/admin/exports'
import { filtersInWords } from '#contracts/export-filters'
import { intervalCategories } from '#contracts/interval-category'
import { lastReachableRow } from '#contracts/paging'
import { formatCount } from '../../../lib/money.ts'

/** Such as `Active Plans Monthly`. */
export function nameOf({ list, query }: ExportProposalItem): string {
  const interval = intervalCategories.find((each) => each === query['interval'])
  return exportName(list, { search: '', interval })
}

/** `past due`. Without the interval, which is in the name. */
export function filtersOf({
  query: { interval: _interval, ...filters },
}: ExportProposalItem): string {
  return filtersInWords(filters)
}

/** `1,200` and `records`. */
export function recordsOf({ records }: ExportProposalItem): {
  readonly count: string
  readonly unit: string
} {
  return {
    count: records === null ? `More than ${formatCount(lastReachableRow)}` : formatCount(records),
    unit: records === 1 ? 'record' : 'records',
  }
}
