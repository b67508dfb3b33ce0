import { approvedRefundReactor } from '#services/billing/approvals/approved-refund-reactor'
import { blockedBillingReactor } from '#services/billing/blocked-billing-reactor'
import { customerDetailsReactor } from '#services/billing/customer-details-reactor'
import { erasedAccountReactor } from '#services/billing/erased-account-reactor'
import { refundReactor } from '#services/billing/refund-reactor'
import { controlReactor } from '#services/controls/control-reactor'
import { createMailTurns } from '#services/mail/mailer'
import { startReactors } from '#services/reactors/run-reactor'
import { createLogos } from '#services/receivables/brand/logos'
import { closedCheckoutsReactor } from '#services/receivables/checkout/close-checkouts-reactor'
import { returnedFeesReactor } from '#services/receivables/checkout/fee-reactor'
import { knownAccountsReactor } from '#services/receivables/checkout/known-accounts-reactor'
import { createClientErasure } from '#services/receivables/erase-clients'
import { erasedClientReactor } from '#services/receivables/erased-client-reactor'
import { followUpReactor } from '#services/receivables/follow-up-reactor'
import { undoReactor } from '#services/receivables/import/undo-reactor'
import type { BackgroundParts } from './product-parts.ts'
import { createSharedServices } from './create-shared-services.ts'
import { eventProofOf } from './event-proof.ts'
import type { StartContext } from './start-context.ts'
import { startNotifications } from './start-notifications.ts'
import { startRepeatedWork } from './start-repeated-work.ts'
import { startSendingToClients } from './start-sending-to-clients.ts'

/** Starts the repeated work, the sending of messages, and the reactors. */
export function startBackgroundWork(context: StartContext, parts: BackgroundParts): void {
  const { config, log, started, newerRelease, tracing } = context
  const { storage, commands, codec, keys, clock, side, readSide } = parts
  const { background: pool, store } = storage
  const { billing, refunds, approvals, administrators, provider } = side
  const { receivables, stops, checkouts, erasure } = createSharedServices(context, parts, pool)
  startRepeatedWork(context, parts, erasure, checkouts)
  const mailTurns = createMailTurns(config.mailsPerSecond)
  const sending = startSendingToClients(context, {
    ...parts,
    receivables,
    stops,
    mailTurns,
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
        undoReactor({ commands, clock, clientsWithOthers: readSide.imports.clientsWithOthers }),
        erasedClientReactor(
          createClientErasure({ receivables, commands, keys, logos: createLogos(pool), clock }),
        ),
        ...startNotifications(context, {
          ...parts,
          receiptOf: readSide.receiptOf,
          mailTurns,
          administrators,
          stops,
        }),
      ].map((reactor) => tracing.reactor(reactor)),
      { pool, store, codec, clock, log, newerRelease },
    ),
  )
}
