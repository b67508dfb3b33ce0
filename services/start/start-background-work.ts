import { takeFreeLease } from '#services/postgres/lease'
import {
  startErasingUnverified,
  type EraseUnverifiedParts,
} from '#services/accounts/erase-unverified'
import { startCleaningErased } from '#services/accounts/clean-erased'
import type { EmailKeys } from '#services/accounts/email-keys'
import { blockedBillingReactor } from '#services/billing/blocked-billing-reactor'
import { customerDetailsReactor } from '#services/billing/customer-details-reactor'
import { approvedRefundReactor } from '#services/billing/approvals/approved-refund-reactor'
import { refundReactor } from '#services/billing/refund-reactor'
import { erasedAccountReactor } from '#services/billing/erased-account-reactor'
import type { PdfFiles } from './pdf-files.ts'
import { startReconciler } from '#services/billing/reconciliation/reconciler'
import type { ReconcilerState } from '#services/billing/reconciliation/reconciler-state'
import { createEnquiryErasure } from '#services/enquiries/erase-enquiries'
import { controlReactor } from '#services/controls/control-reactor'
import type { CommandHandler } from '#services/commands/handle-command'
import type { EventCodec } from '#services/event-store/encryption/codec'
import type { PersonalKeys } from '#services/event-store/encryption/personal-keys'
import { leaseNames } from '#services/foundation/application-names'
import { systemClock, type Clock } from '#services/foundation/clock'
import { startReactors } from '#services/reactors/run-reactor'
import { createLogos } from '#services/receivables/brand/logos'
import { createClientErasure } from '#services/receivables/erase-clients'
import { erasedClientReactor } from '#services/receivables/erased-client-reactor'
import type { UndoParts } from '#services/receivables/import/undo-import'
import { undoReactor } from '#services/receivables/import/undo-reactor'
import { createMailTurns } from '#services/mail/mailer'
import { followUpReactor } from '#services/receivables/follow-up-reactor'
import { closedCheckoutsReactor } from '#services/receivables/checkout/close-checkouts-reactor'
import { returnedFeesReactor } from '#services/receivables/checkout/fee-reactor'
import { knownAccountsReactor } from '#services/receivables/checkout/known-accounts-reactor'
import { startReconcilingAccounts } from '#services/receivables/checkout/reconcile-accounts'
import type { BillingSide } from './create-billing-side.ts'
import type { Storage } from './open-storage.ts'
import type { ReadSide } from '#services/read-side/read-side'
import { cleaningParts, largestRewriteWhileRunning } from '#services/read-side/personal-tables'
import { takeReconcilerLease } from '#services/billing/reconciliation/reconciler-lease'
import type { StartContext } from './start-context.ts'
import { createContactStops, type StoppedAmong } from '#services/receivables/stops/contact-stops'
import { stopKeyOf } from '#services/event-store/audit/audit-keys'
import { createClientCheckouts } from './create-client-checkouts.ts'
import { createReceivablesSide } from './create-receivables-side.ts'
import { startNotifications } from './start-notifications.ts'
import { startSendingToClients } from './start-sending-to-clients.ts'
import type { TextSender } from '#services/sms/text-sender'
import { eventProofOf } from './event-proof.ts'

/** Starts the reconciler, the erasure of unverified accounts, and the reactors. */
export function startBackgroundWork(
  context: StartContext,
  {
    storage,
    commands,
    codec,
    keys,
    emailKeys,
    clock,
    side,
    smtpUrl,
    texts,
    receiptOf,
    files,
    reconcilerState: state,
    unverified,
    clientsWithOthers,
    stoppedAmong,
  }: {
    readonly stoppedAmong: StoppedAmong
    readonly storage: Storage
    readonly commands: CommandHandler
    readonly codec: EventCodec
    readonly keys: PersonalKeys
    readonly emailKeys: EmailKeys
    /** The business clock. */
    readonly clock: Clock
    readonly side: BillingSide
    readonly smtpUrl: string
    /** Null: no texts are sent. */
    readonly texts: TextSender | null
    readonly receiptOf: ReadSide['receiptOf']
    readonly files: PdfFiles
    readonly reconcilerState: ReconcilerState
    readonly unverified: EraseUnverifiedParts['queries']
    readonly clientsWithOthers: UndoParts['clientsWithOthers']
  },
): void {
  const { config, log, started, newerRelease, tracing } = context
  const { connectionString, background: pool, store } = storage
  const { billing, refunds, approvals, administrators, provider, events } = side
  const receivables = createReceivablesSide({ commands, keys, clock })
  const erasure = {
    commands,
    keys,
    pool,
    clock,
    emailKeys,
    enquiries: createEnquiryErasure({ commands, keys, clock }),
  }
  started.add(
    'reconciler',
    startReconciler({
      ...events,
      billing,
      state,
      clock: systemClock,
      log,
      takeLease: () => takeReconcilerLease(connectionString),
    }),
  )
  started.add(
    'erasure of unverified accounts',
    startErasingUnverified({
      ...erasure,
      queries: unverified,
      hasCustomer: billing.hasCustomer,
      log,
      takeLease: () => takeFreeLease(connectionString, leaseNames.erasing),
    }),
  )
  started.add(
    'cleaning after erasures',
    startCleaningErased({
      ...cleaningParts({
        connectionString,
        pool,
        keys,
        store,
        log,
        largestBytes: largestRewriteWhileRunning,
      }),
      takeLease: () => takeFreeLease(connectionString, leaseNames.cleaning),
    }),
  )
  const stops = createContactStops({
    commands,
    clock,
    key: stopKeyOf(config.auditKey),
    stoppedAmong,
  })
  const checkouts = createClientCheckouts({
    side,
    commands,
    receivables,
    pool,
    publicUrl: config.publicUrl,
    clock,
    log,
  })
  started.add(
    'reconciler of accounts',
    startReconcilingAccounts({
      ...checkouts,
      clock: systemClock,
      log,
      takeLease: () => takeFreeLease(connectionString, leaseNames.reconcilingAccounts),
    }),
  )
  const mailTurns = createMailTurns(config.mailsPerSecond)
  const sending = startSendingToClients(context, {
    storage,
    commands,
    clock,
    receivables,
    stops,
    smtpUrl,
    mailTurns,
    texts,
  })
  started.add(
    'reactors',
    startReactors(
      [
        blockedBillingReactor({ billing, provider }),
        erasedAccountReactor({ ...erasure, billing }),
        refundReactor(refunds),
        approvedRefundReactor(approvals),
        customerDetailsReactor({ billing, provider, store, codec }),
        controlReactor({ commands, pool, store, proof: eventProofOf(config), log }),
        followUpReactor(receivables),
        knownAccountsReactor(checkouts.known),
        closedCheckoutsReactor({ commands, ...checkouts }),
        returnedFeesReactor(checkouts),
        ...sending,
        undoReactor({ commands, clock, clientsWithOthers }),
        erasedClientReactor(
          createClientErasure({ receivables, commands, keys, logos: createLogos(pool), clock }),
        ),
        ...startNotifications(context, {
          storage,
          commands,
          codec,
          keys,
          clock,
          smtpUrl,
          mailTurns,
          texts,
          receiptOf,
          files,
          administrators,
          stops,
        }),
      ].map((reactor) => tracing.reactor(reactor)),
      { pool, store, codec, clock, log, newerRelease },
    ),
  )
}
