import type { Router } from 'express'
import { randomUUID } from 'node:crypto'
import { networkOfRequest } from '#services/http/client-network'
import { createPortal } from '#services/receivables/portal/portal'
import { createPortalDocuments } from '#services/receivables/portal/portal-document'
import { portalRoutes } from '#services/receivables/portal/portal-routes'
import type { StartContext } from '../start-context.ts'
import type { AppParts } from './app-parts.ts'
import type { ReceivablesParts } from './receivables-parts.ts'
import type { SharedParts } from './shared-parts.ts'

/** The pages at `/pay`, where a client reads what it owes and pays. */
export function clientPortal(
  { config, log }: Pick<StartContext, 'config' | 'log'>,
  { commands, side, files }: Pick<AppParts, 'commands' | 'side' | 'files'>,
  { checkouts }: Pick<SharedParts, 'checkouts'>,
  { queries, tokens, receivables, merchantOf, brands, logos, stops, limits }: ReceivablesParts,
  webRoot: string,
): Router {
  const { publicUrl, trustProxy } = config
  return portalRoutes({
    pay: checkouts.pay,
    sync: checkouts.sync,
    portal: createPortal({
      provider: side.connectedAccounts.title,
      tokens,
      commands,
      receivables,
      queries,
      merchantOf,
      brands,
      publicUrl,
      stops,
    }),
    documents: createPortalDocuments(webRoot),
    sources: { queries, brands, logos },
    files: files.statements,
    receiptFiles: files.paymentReceipts,
    receivables,
    stops,
    limits,
    networkOf: (request) => networkOfRequest(request, trustProxy) ?? 'unknown',
    publicUrl,
    newId: randomUUID,
    log,
  })
}
