import type { ExportProposalItem } from '#contracts/admin/export-proposals'
import { exportName } from '#contracts/admin/exports'
import type { IntervalCategory } from '#contracts/interval-category'

/** Such as `Active Plans Monthly`. */
export function nameOf({ list, query }: ExportProposalItem): string {
  // An unknown interval has no name of its own.
  const interval = query['interval'] as IntervalCategory | undefined
  return exportName(list, { search: '', interval })
}

export function recordsOf({ records }: ExportProposalItem): string {
  return records === null ? 'More than 10,000' : records.toLocaleString('en-US')
}
