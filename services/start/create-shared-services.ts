import type pg from 'pg'
import { createEnquiryErasure } from '#services/enquiries/erase-enquiries'
import { stopKeyOf } from '#services/event-store/audit/audit-keys'
import type { ReadSide } from '#services/read-side/read-side'
import { createContactStops } from '#services/receivables/stops/contact-stops'
import { createClientCheckouts } from './create-client-checkouts.ts'
import { createReceivablesSide } from './create-receivables-side.ts'
import type { ProductParts } from './product-parts.ts'
import type { StartContext } from './start-context.ts'

/**
 * The services that requests and the background work both use. `pool`: the connections of the one
 * or of the other, so that neither waits for those of the other.
 */
export function createSharedServices(
  { config, log }: Pick<StartContext, 'config' | 'log'>,
  {
    commands,
    keys,
    emailKeys,
    clock,
    side,
    readSide,
  }: Pick<ProductParts, 'commands' | 'keys' | 'emailKeys' | 'clock' | 'side'> & {
    readonly readSide: Pick<ReadSide, 'stoppedAmong'>
  },
  pool: pg.Pool,
) {
  const receivables = createReceivablesSide({ commands, keys, clock })
  return {
    receivables,
    stops: createContactStops({
      commands,
      clock,
      key: stopKeyOf(config.auditKey),
      stoppedAmong: readSide.stoppedAmong,
    }),
    checkouts: createClientCheckouts({
      side,
      commands,
      receivables,
      pool,
      publicUrl: config.publicUrl,
      clock,
      log,
    }),
    erasure: {
      commands,
      keys,
      pool,
      clock,
      emailKeys,
      enquiries: createEnquiryErasure({ commands, keys, clock }),
    },
  }
}
