import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { CommandHandler } from '#services/commands/handle-command'
import type { Clock } from '#services/foundation/clock'
import type { Queryable } from '#services/foundation/queryable'
import { createKnownAccounts } from '#services/receivables/checkout/connected-accounts-table'
import { createConnectedAccountEventHandler } from '#services/receivables/checkout/handle-connected-account-event'
import { createOpenCheckouts } from '#services/receivables/checkout/open-checkouts-table'
import { createPay } from '#services/receivables/checkout/pay'
import { createCheckoutSync } from '#services/receivables/checkout/sync-checkout'
import type { Receivables } from '#services/receivables/receivables-service'
import { createWaysToPay } from '#services/receivables/ways-to-pay/ways-to-pay'
import type { BillingSide } from './create-billing-side.ts'
import { createMerchantOf } from './create-receivables-side.ts'

/** Payments of clients to merchants, at the merchants' accounts. */
export function createClientCheckouts({
  side: { clientPayments: payments, connectedAccounts: accounts },
  commands,
  receivables,
  pool,
  publicUrl,
  clock,
  log,
}: {
  readonly side: Pick<BillingSide, 'clientPayments' | 'connectedAccounts'>
  readonly commands: CommandHandler
  readonly receivables: Receivables
  readonly pool: Queryable
  readonly publicUrl: string
  /** The business clock. */
  readonly clock: Clock
  readonly log: Logger
}) {
  const newId = randomUUID
  const open = createOpenCheckouts(pool)
  const known = createKnownAccounts(pool)
  const ways = createWaysToPay({ commands, accounts, publicUrl, clock })
  const sync = createCheckoutSync({ commands, receivables, payments, open, newId })
  const merchantOf = createMerchantOf(commands)
  return {
    payments,
    open,
    known,
    ways,
    sync,
    pay: createPay({ commands, receivables, merchantOf, payments, open, sync, publicUrl, newId }),
    handleConnectedAccountEvent: createConnectedAccountEventHandler({
      commands,
      payments,
      known,
      ways,
      sync,
      log,
    }),
    newId,
  }
}
