import { createRecipientBudget } from '#services/accounts/recipient-budget'
import { createSignInCodeStore } from '#services/accounts/sign-in-code-store'
import { systemClock } from '#services/foundation/clock'
import { createSlowHash } from '#services/foundation/slow-hash'
import { createLimits } from '#services/http/limits'
import { createSharedServices } from '../create-shared-services.ts'
import type { StartContext } from '../start-context.ts'
import type { AppParts } from './app-parts.ts'

/** What the routes of several areas share. */
export type SharedParts = ReturnType<typeof createSharedParts>

export function createSharedParts(context: Pick<StartContext, 'config' | 'log'>, parts: AppParts) {
  const { pool, store } = parts.storage
  const limits = createLimits(pool)
  const slowHash = createSlowHash()
  return {
    ...createSharedServices(context, parts, pool),
    limits,
    slowHash,
    recipients: createRecipientBudget({ limits, accounts: parts.accounts }),
    codes: createSignInCodeStore(pool, systemClock, slowHash),
    eventLog: { store, codec: parts.codec },
  }
}
