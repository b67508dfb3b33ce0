import type { ClientId, ImportId, ReceivableId } from '#contracts/ids'
import type { SentRow } from '#contracts/receivables/imports'
import type { RefusalCode } from '#contracts/receivables/refusals'
import { receivableIdOf } from '../receivable-id.ts'
import { findClients, unknownClient, type ClientFinderParts } from './find-clients.ts'
import type { BegunRow, StartedImport } from './import-decider.ts'
import { rowsOf } from './row-table.ts'

export interface RowPlaces {
  /** The clients that other rows of the import have added. */
  readonly added: ReadonlySet<ClientId>
  readonly begun: readonly BegunRow[]
  readonly refused: readonly {
    readonly row: number
    readonly number: string
    readonly reason: RefusalCode
  }[]
}

/** Whose the rows are, before they begin. */
export async function placeRows(
  finder: ClientFinderParts,
  state: StartedImport,
  importId: ImportId,
  rows: readonly SentRow[],
): Promise<RowPlaces> {
  const added = new Set<ClientId>()
  const taken = new Map<ReceivableId, number>()
  for (const [row, { place }] of rowsOf(state.known)) {
    if (place === null) continue
    if (place.isNewClient) added.add(place.clientId)
    taken.set(place.receivableId, row)
  }
  const found = await findClients(finder, state.merchantId, rows, {
    added,
    own: added,
    scope: importId,
  })
  const begun: BegunRow[] = []
  const refused: { row: number; number: string; reason: RefusalCode }[] = []
  for (const [index, { row, number }] of rows.entries()) {
    const client = found[index] ?? unknownClient
    if (client.kind !== 'found') {
      refused.push({ row, number, reason: client.kind })
      continue
    }
    const { clientId, isNew: isNewClient } = client
    const receivableId = receivableIdOf(clientId, number)
    if (taken.has(receivableId)) refused.push({ row, number, reason: 'repeated-number' })
    else begun.push({ row, number, clientId, receivableId, isNewClient })
    taken.set(receivableId, row)
  }
  return { begun, refused, added }
}
