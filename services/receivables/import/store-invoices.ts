import type { ReceivableId, UserId } from '#contracts/ids'
import type { Instant } from '#contracts/instant'
import type { ProgramInvoice } from '#contracts/receivables/program-invoices'
import type { CommandContext } from '#services/commands/command-context'
import { importedClientIdOf, receivableIdOf } from '../receivable-id.ts'
import type { Receivables } from '../receivables-service.ts'
import { matchKeyOf } from './client-match.ts'
import { findClients, unknownClient, type ClientFinderParts } from './find-clients.ts'
import { storeRows, type PlacedRow, type StoredOutcome, type StoreRowsParts } from './store-rows.ts'

interface StoreInvoicesParts extends StoreRowsParts {
  readonly finder: ClientFinderParts
  readonly receivables: Pick<Receivables, 'calendarOf'>
  readonly now: () => Instant
}

/**
 * Stores the invoices of a program by the rules of an import, without its stream. Returns the
 * outcomes in their order. @throws EventStoreUnavailable
 */
export async function storeInvoices(
  parts: StoreInvoicesParts,
  merchantId: UserId,
  invoices: readonly ProgramInvoice[],
  context: CommandContext,
): Promise<readonly StoredOutcome[]> {
  const { finder, receivables, now } = parts
  const { today } = await receivables.calendarOf(merchantId)
  const rows = invoices.map(({ client, ...invoice }) => ({
    ...invoice,
    client: { ...client, timeZone: null },
    clientChoice: null,
    confirmsReversal: false,
    textConsent: null,
  }))
  // The clients of this call, so that a repeat after a crash asks nothing about them.
  const added = new Set(
    rows.map(({ client }) => importedClientIdOf(merchantId, matchKeyOf(client), 0)),
  )
  const found = await findClients(finder, merchantId, rows, {
    added,
    scope: context.commandId,
  })
  const outcomes: StoredOutcome[] = []
  const placed = new Map<ReceivableId, { readonly index: number; readonly row: PlacedRow }>()
  for (const [index, row] of rows.entries()) {
    const client = found[index] ?? unknownClient
    if (client.kind !== 'found') {
      outcomes[index] = { outcome: 'refused', reason: client.kind }
      continue
    }
    const { clientId, isNew: isNewClient } = client
    const receivableId = receivableIdOf(clientId, row.number)
    if (placed.has(receivableId))
      outcomes[index] = { outcome: 'refused', reason: 'repeated-number' }
    else
      placed.set(receivableId, {
        index,
        row: { key: String(index), row, clientId, receivableId, isNewClient },
      })
  }
  const each = [...placed.values()]
  const stored = await storeRows(
    parts,
    each.map(({ row }) => row),
    {
      merchantId,
      today,
      at: now(),
      context,
      existing: await finder.knownAmong([...placed.keys()]),
    },
  )
  for (const [place, { index }] of each.entries()) {
    const outcome = stored.outcomes[place]
    if (outcome !== undefined) outcomes[index] = outcome
  }
  return outcomes
}
