import type pg from 'pg'
import { homeCurrency } from '#projections/shared/home-currency'
import { createAdministrators } from '#services/administrators/administrators'
import { createRefundApprovals } from '#services/billing/approvals/refund-approvals'
import { createBilling } from '#services/billing/billing-service'
import { createRefunds } from '#services/billing/refunds'
import type { ReconcilerState } from '#services/billing/reconciler/reconciler-state'
import type { CommandHandler } from '#services/commands/handle-command'
import type { Clock } from '#services/foundation/clock'
import { createPlanPrices } from '#services/payments/plan-prices'
import { createStripeClientPayments } from '#services/payments/stripe/client-payments'
import { createStripeConnectedAccounts } from '#services/payments/stripe/connected-accounts'
import { stripeName } from '#services/payments/stripe/from-stripe/references'
import { createStripePaymentProvider } from '#services/payments/stripe/payment-provider'
import { createProviderEvents } from './provider-events.ts'
import { dashboardUrl } from '#services/settings/dashboard-url'
import type { ProvidedSandbox } from '#services/sandbox-process/provide-sandbox'
import type { ReadSide } from '#services/read-side/read-side'
import type { StartContext } from './start-context.ts'
import { createStripeClient } from './stripe-client.ts'

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
  const stripe = createStripeClient(config, sandbox, outside)
  const prices = createPlanPrices(stripeName, config.stripe.priceIds)
  const provider = tracing.provider(
    createStripePaymentProvider(stripe, prices, {
      success: `${config.publicUrl}/payment-success?session_id={CHECKOUT_SESSION_ID}`,
      cancel: `${config.publicUrl}/payment`,
      portalConfiguration: config.stripe.portalConfiguration,
    }),
  )
  const connectedAccounts = tracing.accounts(
    createStripeConnectedAccounts(stripe, { dashboardUrl: dashboardUrl(config) }),
  )
  const clientPayments = tracing.clientPayments(createStripeClientPayments(stripe))
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
  const events = createProviderEvents({ billing, provider, stripe, pool, links, log })
  return {
    stripe,
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
