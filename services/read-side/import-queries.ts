import { importsPage } from '#projections/imports/queries/list-imports'
import { imports } from '#projections/imports/read-model'
import {
  clientsLike,
  clientsWithOthers,
  knownAmong,
  openInvoicesForImport,
} from '#projections/receivables/queries/for-imports'
import { receivables } from '#projections/receivables/read-model'
import type { ImportQueries } from '#services/receivables/import-routes'
import type { ImportsParts } from '#services/receivables/import/imports'
import type { UndoParts } from '#services/receivables/import/undo-import'
import type { ReadParts } from './read-parts.ts'

/** A merchant's imports, and the clients and invoices that their rows can concern. */
export type ImportSideQueries = ImportQueries &
  Pick<ImportsParts, 'clientsLike' | 'knownAmong' | 'openInvoices'> &
  Pick<UndoParts, 'clientsWithOthers'>

export function createImportQueries({ pool, ready, refuseUnbuilt }: ReadParts): ImportSideQueries {
  return {
    ready: ready(receivables, imports),
    imports: (merchantId, query) => importsPage(pool, merchantId, query),
    clientsLike: (merchantId, named) => clientsLike(pool, merchantId, named),
    knownAmong: (ids) => knownAmong(pool, ids),
    openInvoices: (merchantId) => openInvoicesForImport(pool, merchantId),
    async clientsWithOthers(clientIds, except) {
      await refuseUnbuilt(receivables)
      return clientsWithOthers(pool, clientIds, except)
    },
  }
}
