import type { ExportFormat } from '#contracts/admin/exports'

/** The media type of each format of an export. */
export const exportContentTypes = {
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const satisfies Record<ExportFormat, string>
