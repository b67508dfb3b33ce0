import type pg from 'pg'
import { homeCurrency } from '#projections/shared/home-currency'
import { createAdministrators } from '#services/administrators/administrators'
import { createRefundApprovals } from '#services/billing/approvals/refund-approvals'
import { createBilling } from '#services/billing/billing-service'
import { createRefunds } from '#services/billing/refunds'
import type { ReconcilerState } from '#services/billing/reconciler/reconciler-state'
import type { CommandHandler } from '#services/commands/handle-command'
import type { Clock } from '#services/foundation/clock'
import { createProviderEvents } from './provider-events.ts'
import { createProviderPorts } from './provider-ports.ts'
import type { ProvidedSandbox } from '#services/sandbox-process/provide-sandbox'
import type { ReadSide } from '#services/read-side/read-side'
import type { StartContext } from './start-context.ts'

export type BillingSide = ReturnType<typeof createBillingSide>

/** The payment provider, and the billing service that uses it. */
export function createBillingSide(
  { config, log, tracing, outside }: Pick<StartContext, 'config' | 'log' | 'tracing' | 'outside'>,
  {
    sandbox,
    pool,
    commands,
    clock,
    readSide,
    reconcilerState: { eventsHandledUntil },
  }: {
    readonly sandbox: ProvidedSandbox | null
    readonly pool: pg.Pool
    readonly commands: CommandHandler
    readonly clock: Clock
    readonly readSide: ReadSide
    readonly reconcilerState: Pick<ReconcilerState, 'eventsHandledUntil'>
  },
) {
  const ports = createProviderPorts(config, sandbox, outside)
  const { prices } = ports
  const provider = tracing.provider(
    ports.payments({
      success: `${config.publicUrl}/payment-success?session_id={CHECKOUT_SESSION_ID}`,
      cancel: `${config.publicUrl}/payment`,
    }),
  )
  const connectedAccounts = tracing.accounts(ports.connectedAccounts)
  const clientPayments = tracing.clientPayments(ports.clientPayments)
  const billing = createBilling({ commands, provider, clock, log, eventsHandledUntil })
  const refunds = createRefunds({ billing, commands, provider, clock })
  const administrators = createAdministrators({ commands, clock })
  const { refundAbove } = config.secondPerson
  const approvals = createRefundApprovals({
    limit: refundAbove === null ? null : { amount: refundAbove, currency: homeCurrency },
    refunds,
    administrators,
    commands,
    clock,
  })
  const { customerLinks: links } = readSide
  const events = createProviderEvents({ billing, provider, ...ports, pool, links, log })
  return {
    ports,
    prices,
    provider,
    connectedAccounts,
    clientPayments,
    billing,
    refunds,
    administrators,
    approvals,
    events: { ...events, handle: tracing.providerEvents(events.handle) },
  }
}
