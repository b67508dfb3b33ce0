import { createRecipientBudget } from '#services/accounts/recipient-budget'
import { createSignInCodeStore } from '#services/accounts/sign-in-code-store'
import { stopKeyOf } from '#services/event-store/audit/audit-keys'
import { systemClock } from '#services/foundation/clock'
import { createSlowHash } from '#services/foundation/slow-hash'
import { createLimits } from '#services/http/limits'
import { createContactStops } from '#services/receivables/stops/contact-stops'
import { createClientCheckouts } from '../create-client-checkouts.ts'
import { createReceivablesSide } from '../create-receivables-side.ts'
import type { StartContext } from '../start-context.ts'
import type { AppParts } from './app-parts.ts'

/** What the routes of several areas share. */
export type SharedParts = ReturnType<typeof createSharedParts>

export function createSharedParts(
  { config, log }: Pick<StartContext, 'config' | 'log'>,
  { storage, accounts, commands, codec, keys, clock, side, readSide }: AppParts,
) {
  const { pool, store } = storage
  const limits = createLimits(pool)
  const slowHash = createSlowHash()
  const receivables = createReceivablesSide({ commands, keys, clock })
  return {
    limits,
    slowHash,
    recipients: createRecipientBudget({ limits, accounts }),
    codes: createSignInCodeStore(pool, systemClock, slowHash),
    eventLog: { store, codec },
    stops: createContactStops({
      commands,
      clock,
      key: stopKeyOf(config.auditKey),
      stoppedAmong: readSide.stoppedAmong,
    }),
    receivables,
    checkouts: createClientCheckouts({
      side,
      commands,
      receivables,
      pool,
      publicUrl: config.publicUrl,
      clock,
      log,
    }),
  }
}
