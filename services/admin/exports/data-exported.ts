import type { ExportFormat } from '#contracts/admin/exports'
import type { AdminListName } from '#contracts/admin/lists'
import type { AdminAccessEvent } from '#contracts/events/admin-access'
import { parametersAsText } from '#contracts/export-filters'
import type { QueryOf } from './exported-columns.ts'

/** The event of an export. It has the filters, but of a search only that there was one. */
export function dataExported<Name extends AdminListName>(
  {
    adminId,
    list,
    format,
    query,
  }: {
    readonly adminId: string
    readonly list: Name
    readonly format: ExportFormat
    readonly query: QueryOf<Name>
  },
  rows: number | null,
): AdminAccessEvent {
  const { search, sort: _sort, order: _order, page: _page, pageSize: _size, ...filters } = query
  return {
    type: 'DataExported',
    data: {
      adminId,
      list,
      format,
      rows,
      filters: parametersAsText(filters),
      isSearched: search !== '',
    },
  }
}
