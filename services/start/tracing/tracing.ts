import type { ReadModel } from '#projections/engine/read-model'
import type { HandleProviderEvent } from '#services/billing/webhooks/handle-provider-event'
import type { CommandHandler } from '#services/commands/handle-command'
import type { EventStore } from '#services/event-store/event-store'
import { createRouteTracing, type RouteTracing } from '#services/http/route-tracing'
import type { Mailer } from '#services/mail/mailer'
import type { ClientPayments } from '#services/payments/client-payments'
import type { ConnectedAccounts } from '#services/payments/connected-accounts'
import type { PaymentProvider } from '#services/payments/payment-provider'
import type { Reactor } from '#services/reactors/reactor'
import type { TextSender } from '#services/sms/text-sender'
import type { SpanCounts } from '#services/tracing/counted-export'
import type { Spans } from '#services/tracing/spans'
import type { ReadSide } from '#services/read-side/read-side'
import { tracedCommands } from './traced-commands.ts'
import { tracedFunctions } from './traced-functions.ts'
import { tracedProviderEvents } from './traced-provider-events.ts'
import { tracedReactor } from './traced-reactor.ts'
import { tracedReadModel } from './traced-read-model.ts'
import { tracedReadSide } from './traced-read-side.ts'
import { tracedStore } from './traced-store.ts'

/** Puts a part into spans. Without tracing, each function returns the part itself. */
export interface Tracing {
  /** Null without tracing. */
  readonly routes: RouteTracing | null
  readonly counts: (() => SpanCounts) | null
  store(store: EventStore): EventStore
  commands(commands: CommandHandler): CommandHandler
  readModel(model: ReadModel): ReadModel
  readSide(side: ReadSide): ReadSide
  reactor(reactor: Reactor): Reactor
  providerEvents(handle: HandleProviderEvent): HandleProviderEvent
  provider(provider: PaymentProvider): PaymentProvider
  accounts(accounts: ConnectedAccounts): ConnectedAccounts
  clientPayments(payments: ClientPayments): ClientPayments
  mailer(mailer: Mailer): Mailer
  texts(sender: TextSender): TextSender
}

export const untraced: Tracing = {
  routes: null,
  counts: null,
  store: (store) => store,
  commands: (commands) => commands,
  readModel: (model) => model,
  readSide: (side) => side,
  reactor: (reactor) => reactor,
  providerEvents: (handle) => handle,
  provider: (provider) => provider,
  accounts: (accounts) => accounts,
  clientPayments: (payments) => payments,
  mailer: (mailer) => mailer,
  texts: (sender) => sender,
}

const providerCalls = [
  'createCustomer',
  'updateCustomer',
  'createCheckoutSession',
  'isCustomerDeleted',
  'retrieveCheckoutSession',
  'expireCheckoutSession',
  'fetchState',
  'fetchHistory',
  'cancelSubscription',
  'withdrawCancellation',
  'createPortalSession',
  'productRefOf',
  'userIdOfCustomer',
] as const satisfies readonly (keyof PaymentProvider)[]

const accountCalls = [
  'createAccount',
  'onboardingLink',
  'accountOf',
] as const satisfies readonly (keyof ConnectedAccounts)[]

const clientPaymentCalls = [
  'createCheckout',
  'checkoutOf',
  'expireCheckout',
  'returnFee',
  'claimOf',
] as const satisfies readonly (keyof ClientPayments)[]

export function createTracing(
  spans: Spans,
  { counts, trustProxy }: { readonly counts: () => SpanCounts; readonly trustProxy: boolean },
): Tracing {
  return {
    routes: createRouteTracing(spans, trustProxy),
    counts,
    store: (store) => tracedStore(store, spans),
    commands: (commands) => tracedCommands(commands, spans),
    readModel: (model) => tracedReadModel(model, spans),
    readSide: (side) => tracedReadSide(side, spans),
    reactor: (reactor) => tracedReactor(reactor, spans),
    providerEvents: (handle) => tracedProviderEvents(handle, spans),
    provider: (provider) =>
      tracedFunctions(spans, provider.name, provider, providerCalls, 'client'),
    accounts: (accounts) => tracedFunctions(spans, accounts.name, accounts, accountCalls, 'client'),
    clientPayments: (payments) =>
      tracedFunctions(spans, payments.name, payments, clientPaymentCalls, 'client'),
    mailer: (mailer) => tracedFunctions(spans, 'smtp', mailer, ['send'], 'client'),
    texts: (sender) => tracedFunctions(spans, 'twilio', sender, ['send', 'find'], 'client'),
  }
}
