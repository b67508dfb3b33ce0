import type { SendNowPreview } from '#contracts/receivables/messages'
import type { CommandContext } from '#services/commands/command-context'
import { unreachable } from '#services/foundation/decider'
import type { Queryable } from '#services/foundation/queryable'
import { clientReminderStream } from '#services/foundation/stream-names'
import { localTime } from '../reminders/local-time.ts'
import { planNow } from '../reminders/plan-now.ts'
import {
  clientReminderDecider,
  messageKey,
  type ReminderRefusal,
} from '../reminders/reminder-decider.ts'
import { retryLater } from './client-appointments.ts'
import { composeMessage, type ComposeParts } from './compose-message.ts'
import { deliver, type DeliverParts } from './deliver.ts'
import type { KnownClient } from './known-client.ts'
import { forbiddenBecause, notNowInWords } from './stillness.ts'

export type Sent =
  | { readonly kind: 'not-found' }
  /** `sentence`: why nothing was sent, and what to do. */
  | { readonly kind: 'refused'; readonly sentence: string }
  | { readonly kind: 'sent'; readonly messageId: string }

/** What a send by hand would send at this time, or why it would not. */
export async function previewOf(
  known: KnownClient,
  at: string,
  compose: ComposeParts,
): Promise<SendNowPreview> {
  const forbidden = forbiddenBecause(known.merchant)
  if (forbidden !== null) return { message: null, refused: forbidden }
  const planned = planNow(known.parts, known.state, at)
  if (planned.kind === 'refused') return { message: null, refused: notNowInWords(planned.why) }
  const { message } = planned
  const to = known.to[message.channel] ?? ''
  const composed = await composeMessage({ ...message, to }, known, at, compose)
  return {
    refused: null,
    message: {
      key: messageKey(message),
      channel: message.channel,
      tone: message.tone,
      to,
      subject: composed.channel === 'mail' ? composed.subject : null,
      body: composed.channel === 'mail' ? composed.text : composed.body,
      invoices: [...new Set(message.steps.map(({ receivableId }) => receivableId))].flatMap(
        (id) => {
          const state = known.receivables.get(id)
          return state === undefined ? [] : [{ receivableId: id, number: state.number }]
        },
      ),
    },
  }
}

/** Sends what the preview with this key showed. `tx` holds the client's turn. */
export async function sendNow(
  parts: DeliverParts,
  tx: Queryable,
  known: KnownClient,
  key: string,
  context: CommandContext,
): Promise<Sent> {
  const { commands, clock, days, outages } = parts
  const { merchant, clientId, to } = known
  const { merchantId } = merchant
  const forbidden = forbiddenBecause(merchant)
  if (forbidden !== null) return refused(forbidden)
  const at = clock.now().toISOString()
  const planned = planNow(known.parts, known.state, at)
  if (planned.kind === 'message' && outages.waitOf(planned.message.channel) > 0)
    return refused(serverIsAway)
  const day = localTime(merchant.timeZone).dayOf(at)
  const hasPlace =
    planned.kind === 'message' && (await days.take(merchantId, day, merchant.limitOn(day)))
  if (planned.kind === 'message' && !hasPlace)
    return refused(notNowInWords({ kind: 'merchant-limit' }))
  // Also for a refused plan: the same call may have been handled before.
  const handled = await commands.handle({
    decider: clientReminderDecider,
    stream: clientReminderStream(clientId),
    command: { type: 'send-now', merchantId, clientId, at, parts: known.parts, to, key },
    context,
  })
  const messageId = handled.events
    .flatMap((event) => (event.type === 'MessageDue' ? [event.data.messageId] : []))
    .at(0)
  const { open } = handled.state
  if (messageId === undefined || open === null || known.state.open !== null) {
    if (hasPlace) await days.giveBack(merchantId, day)
    if (handled.kind === 'refused') return refused(refusalInWords(handled.refusal))
    const wasSent = known.state.recent.some((each) => each.messageId === messageId)
    return messageId !== undefined && wasSent
      ? { kind: 'sent', messageId }
      : refused(notNowInWords({ kind: 'message-open' }))
  }
  const delivered = await deliver(open, known, context, parts)
  switch (delivered.kind) {
    case 'sent':
      return { kind: 'sent', messageId: open.messageId }
    case 'not-sent':
      return refused(notSent[delivered.why])
    case 'waits':
      await retryLater(tx, clientId, delivered.delayMs, delivered.reason)
      return refused(
        'The server has not answered, so it is not known yet whether the message was sent. Look at it in a few minutes.',
      )
    default:
      return unreachable(delivered)
  }
}

export function refused(sentence: string) {
  return { kind: 'refused', sentence } as const
}

const serverIsAway = 'The server that sends does not answer now. Nothing was sent. Try again later.'

const notSent = {
  outdated: 'Something changed meanwhile, so nothing was sent. Look at the preview again.',
  refused:
    'The address was refused for good, so nothing was sent. Correct the client’s address or number.',
  stopped: 'The client has stopped texts, so nothing was sent.',
  'not-accepted': serverIsAway,
} as const

export function refusalInWords(refusal: ReminderRefusal): string {
  switch (refusal.kind) {
    case 'not-now':
      return notNowInWords(refusal.why)
    case 'changed-meanwhile':
      return notSent.outdated
    case 'step-ended':
      return 'This step has ended already. Refresh the page.'
    case 'step-is-sent':
      return 'A message about this step is being sent, so it cannot be skipped.'
    case 'no-open-message':
      return 'The message has its outcome already. Refresh the page.'
    case 'not-unknown':
      return 'This message needs nothing more. Refresh the page.'
    default:
      return unreachable(refusal)
  }
}
