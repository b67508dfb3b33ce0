import { createApiKeys } from '#services/receivables/api-keys'
import { createBrands } from '#services/receivables/brand/brands'
import { createLogos } from '#services/receivables/brand/logos'
import { createClientMessages } from '#services/receivables/client-messages'
import { createClientErasure } from '#services/receivables/erase-clients'
import { createImports } from '#services/receivables/import/imports'
import { createSchedules } from '#services/receivables/schedule/schedules'
import { createOptOuts } from '#services/receivables/stops/opt-outs'
import { createMerchantTemplates } from '#services/receivables/templates/merchant-templates'
import { createIsErased, createMerchantOf } from '../create-receivables-side.ts'
import { portalTokensOf, returnTokensOf } from '../tokens-of.ts'
import type { StartContext } from '../start-context.ts'
import { createMessagesSide } from '../create-messages-side.ts'
import type { AppParts } from './app-parts.ts'
import type { SharedParts } from './shared-parts.ts'

/** What the routes of receivables and the client portal share. */
export type ReceivablesParts = ReturnType<typeof createReceivablesParts>

export function createReceivablesParts(
  { config }: Pick<StartContext, 'config'>,
  { storage, mailer, texts, commands, keys, clock, side, readSide }: AppParts,
  { limits, stops, receivables, checkouts }: SharedParts,
) {
  const { pool, background } = storage
  const { publicUrl } = config
  const tokens = portalTokensOf(config)
  const merchantOf = createMerchantOf(commands)
  const logos = createLogos(pool)
  return {
    logos,
    brands: createBrands({ commands, logos, clock }),
    templates: createMerchantTemplates({ commands, clock }),
    publicUrl,
    receivables,
    queries: readSide.receivables,
    imports: createImports({
      commands,
      keys,
      clock,
      receivables,
      isErased: createIsErased(commands),
      clientsLike: readSide.imports.clientsLike,
      knownAmong: readSide.imports.knownAmong,
      openInvoices: readSide.imports.openInvoices,
      clientsWithOthers: readSide.imports.clientsWithOthers,
    }),
    apiKeys: createApiKeys({ commands, pool, clock }),
    connectedAccounts: side.connectedAccounts,
    waysToPay: checkouts.ways,
    schedules: createSchedules({ commands, clock }),
    importQueries: readSide.imports,
    erasure: createClientErasure({ receivables, commands, keys, logos, clock }),
    merchantOf,
    limits,
    clientMessages: createClientMessages({ commands }),
    ...createMessagesSide({
      queries: readSide.receivables,
      returnTokens: returnTokensOf(config),
      pool: background,
      commands,
      receivables,
      merchantOf,
      stops,
      tokens,
      publicUrl,
      textCountries: texts === null ? null : config.textCountries,
      clock,
      mailer,
      texts,
    }),
    optOuts: createOptOuts({ queries: readSide.receivables, stops }),
    tokens,
    stops,
  }
}
