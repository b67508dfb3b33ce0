import { z } from 'zod'
import { errorBody } from '../errors.ts'
import { intervalCategoryNames, type IntervalCategory } from '../interval-category.ts'
import type { AdminListName } from './lists.ts'

/** The files that a list is exported to. */
export const exportFormats = ['csv', 'xlsx'] as const
export type ExportFormat = (typeof exportFormats)[number]

const names: Readonly<Record<AdminListName, string>> = {
  users: 'Users',
  payments: 'Payments',
  'active-subscriptions': 'Active Plans',
  enquiries: 'Enquiries',
  refunds: 'Refunds',
}

/**
 * The name of an export: the label of the tab, and for active plans the chosen interval. Source:
 * specification, section 2, "Export CSV".
 */
export function exportName(
  list: AdminListName,
  { interval }: { readonly search: string; readonly interval?: IntervalCategory | undefined },
): string {
  return interval === undefined ? names[list] : `${names[list]} ${intervalCategoryNames[interval]}`
}

/** The rows that an XLSX file can have. A CSV file has no limit. */
export const maxWorkbookRows = 20_000

/**
 * What an XLSX export sends with `Accept: text/event-stream`: `progress` events, and then one event
 * `file` or `error`.
 */
export const exportEvents = {
  /** `total` is null if more rows match a search than are counted. */
  progress: z.object({ rows: z.int().min(0), total: z.int().min(0).nullable() }),
  /** `base64` is the content of the file. */
  file: z.object({ name: z.string(), base64: z.base64() }),
  error: errorBody,
} as const

/** The data of each event. */
export type ExportEvents = {
  readonly [Name in keyof typeof exportEvents]: z.infer<(typeof exportEvents)[Name]>
}
