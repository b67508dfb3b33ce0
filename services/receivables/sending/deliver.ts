import type { CommandContext } from '#services/commands/command-context'
import type { CommandHandler } from '#services/commands/handle-command'
import type { Clock } from '#services/foundation/clock'
import { unreachable } from '#services/foundation/decider'
import { clientReminderStream } from '#services/foundation/stream-names'
import { clientReminderDecider, isStillTrue } from '../reminders/reminder-decider.ts'
import type { OpenMessage, ReminderState } from '../reminders/reminder-state.ts'
import type { ChannelOutages } from './channel-outages.ts'
import { composeMessage, type ComposeParts } from './compose-message.ts'
import type { KnownClient } from './known-client.ts'
import type { KnownClients } from './known-clients.ts'
import type { MerchantDays } from './merchant-days.ts'
import type { Outcome } from './outcome.ts'
import type { Senders } from './senders.ts'

export interface DeliverParts {
  readonly commands: Pick<CommandHandler, 'handle'>
  readonly known: KnownClients
  readonly senders: Senders
  readonly compose: ComposeParts
  readonly days: MerchantDays
  readonly outages: ChannelOutages
  /** The business clock. */
  readonly clock: Clock
}

/**
 * `sent` and `not-sent`: the message has its outcome. `waits`: it has none yet; look again after
 * `delayMs`.
 */
export type Delivered =
  | { readonly kind: 'sent'; readonly after: KnownClient }
  | { readonly kind: 'not-sent'; readonly why: NotSent['why']; readonly reason: string }
  | { readonly kind: 'waits'; readonly delayMs: number; readonly reason: string }

/** A mail server that did not answer has this time to refuse or deliver the mail. */
const unansweredMs = 5 * 60_000
/** Twilio's list has an accepted text by then. */
const textUnansweredMs = 60_000

/**
 * Sends the open message of a client, if it is still true, and records the outcome. The log is read
 * again here, so that nothing that was recorded since the decision is overlooked.
 */
export async function deliver(
  open: OpenMessage,
  { merchant, clientId }: Pick<KnownClient, 'merchant' | 'clientId'>,
  context: CommandContext,
  parts: DeliverParts,
): Promise<Delivered> {
  const { known, senders, clock, outages } = parts
  const { messageId, channel } = open
  const fresh = await known.clientOf(await known.merchantOf(merchant.merchantId), clientId)
  const at = clock.now().toISOString()
  const to = fresh === null ? null : channel === 'mail' ? fresh.to.mail : fresh.textTo
  const isTrue =
    fresh !== null &&
    fresh.to[channel] === open.to &&
    isStillTrue(open, fresh.parts, fresh.state, at) &&
    (open.isByHand ? fresh.merchant.maySend : fresh.merchant.sendingSince !== null)
  if (fresh === null || to === null || !isTrue) {
    const outdated: NotSent = {
      kind: 'not-sent',
      why: 'outdated',
      reason: 'the log says something else now',
    }
    // The first try may have been accepted: another message must not follow it.
    if (open.isRepeated)
      await recordUnknown(open, outdated.reason, { merchant, clientId }, context, parts)
    else await record(open, outdated, { merchant, clientId }, context, parts)
    return outdated
  }
  const outcome = await senders.send(
    { clientId, messageId, to },
    await composeMessage(open, fresh, at, parts.compose),
  )
  if (outcome.kind === 'not-sent' && outcome.isOutage) outages.began(channel)
  else outages.over(channel)
  switch (outcome.kind) {
    case 'sent':
      return {
        kind: 'sent',
        after: { ...fresh, state: await record(open, outcome, fresh, context, parts) },
      }
    case 'unanswered':
      return {
        kind: 'waits',
        delayMs: channel === 'mail' ? unansweredMs : textUnansweredMs,
        reason: outcome.reason,
      }
    case 'not-sent':
      // The first try may have been accepted: another message must not follow a repetition.
      if (open.isRepeated && outcome.why === 'not-accepted')
        return { kind: 'waits', delayMs: unansweredMs, reason: outcome.reason }
      await record(open, outcome, fresh, context, parts)
      return outcome
    default:
      return unreachable(outcome)
  }
}

async function recordUnknown(
  { messageId }: OpenMessage,
  reason: string,
  { merchant: { merchantId }, clientId }: Pick<KnownClient, 'merchant' | 'clientId'>,
  context: CommandContext,
  { commands, clock }: Pick<DeliverParts, 'commands' | 'clock'>,
): Promise<void> {
  await commands.handle({
    decider: clientReminderDecider,
    stream: clientReminderStream(clientId),
    command: {
      type: 'record-unknown',
      merchantId,
      clientId,
      at: clock.now().toISOString(),
      messageId,
      reason: `no answer, and ${reason}`,
    },
    context: { ...context, commandId: `outcome ${messageId}` },
  })
}

interface NotSent {
  readonly kind: 'not-sent'
  readonly why: 'outdated' | 'refused' | 'stopped' | 'not-accepted'
  readonly reason: string
}
type Recorded = Extract<Outcome, { kind: 'sent' }> | NotSent

/**
 * Returns the state afterwards. A message that did not go out gives its place among the merchant's
 * messages back, of the day on which it took the place.
 */
export async function record(
  { messageId, merchantDay }: OpenMessage,
  outcome: Recorded,
  { merchant, clientId }: Pick<KnownClient, 'merchant' | 'clientId'>,
  context: CommandContext,
  { commands, clock, days }: Pick<DeliverParts, 'commands' | 'clock' | 'days'>,
): Promise<ReminderState> {
  const { merchantId } = merchant
  const at = clock.now().toISOString()
  const of = { messageId, merchantId, clientId, at }
  const { state } = await commands.handle({
    decider: clientReminderDecider,
    stream: clientReminderStream(clientId),
    command:
      outcome.kind === 'sent'
        ? {
            type: 'record-sent',
            ...of,
            subject: outcome.subject,
            body: outcome.body,
            providerId: outcome.providerId,
          }
        : { type: 'record-not-sent', ...of, why: outcome.why, reason: outcome.reason },
    context: { ...context, commandId: `outcome ${messageId}` },
  })
  if (outcome.kind === 'not-sent') await days.giveBack(merchantId, merchantDay)
  return state
}
