import type { ClientId } from '#contracts/ids'
import type { Instant } from '#contracts/instant'
import type { CommandContext } from '#services/commands/command-context'
import { unreachable } from '#services/foundation/decider'
import { clientReminderStream } from '#services/foundation/stream-names'
import { TextNotSent } from '#services/sms/text-sender'
import { localTime } from '../reminders/local-time.ts'
import { planClient } from '../reminders/plan-client.ts'
import { clientReminderDecider } from '../reminders/reminder-decider.ts'
import type { OpenMessage, ReminderState } from '../reminders/reminder-state.ts'
import { portalUrlBeginning } from './compose-message.ts'
import { deliver, record, type Delivered, type DeliverParts } from './deliver.ts'
import type { KnownClient } from './known-client.ts'
import { markAddress, type MarkParts } from './mark-address.ts'
import type { KnownMerchant } from './known-merchant.ts'

export interface LookParts extends DeliverParts, MarkParts {
  /** In E.164. Null: no text can go to it, or the product sends no texts. */
  readonly numberOf: (phone: string) => Promise<string | null>
}

/** When to look after the client again. `done.at` null: nothing is to come. */
export type Looked =
  | { readonly kind: 'done'; readonly at: Instant | null; readonly settled: readonly string[] }
  /** It stays due, and is tried again after `delayMs`. */
  | { readonly kind: 'waits'; readonly delayMs: number; readonly reason: string }
  /** The server of its channel takes nothing now: nothing of the client was tried. */
  | { readonly kind: 'away'; readonly delayMs: number }
  /** It was erased. */
  | { readonly kind: 'gone' }

/** A client has one message a day, and each look decides once. */
const maxRounds = 8
/** Between two tries of a message that the server does not take for now: 5 min, doubled. */
const retryMs = (attempts: number) =>
  Math.min(5 * 60_000 * 2 ** Math.min(attempts, 10), 60 * 60_000)
/** Between two looks for a text in the list of the provider, doubled. */
const lookupMs = 60_000
/** Failed ones, before the outcome of the text counts as unknown: about an hour. */
const maxLookups = 6

/**
 * Brings the messages of a client up to date: settles a message without an outcome, and decides
 * and sends what is due now. The caller has the client's turn. A process may end between any two
 * lines: the next look continues from the log.
 */
export async function lookAfterClient(
  clientId: ClientId,
  attempts: number,
  merchant: KnownMerchant,
  context: CommandContext,
  parts: LookParts,
): Promise<Looked> {
  for (let round = 0; round < maxRounds; round += 1) {
    // What a round recorded can follow from what changed since `merchant` was read.
    const current = round === 0 ? merchant : await parts.known.merchantOf(merchant.merchantId)
    const known = await parts.known.clientOf(current, clientId)
    if (known === null) return { kind: 'gone' }
    if (await markAddress(known, context, parts)) continue
    if (known.state.open !== null) {
      const settled = await settle(known.state.open, known, attempts, context, parts)
      if (settled !== 'again') return settled
      continue
    }
    const looked = await decide(known, attempts, context, parts)
    if (looked !== 'again') return looked
  }
  return { kind: 'waits', delayMs: retryMs(attempts), reason: 'still changing' }
}

/** No message has an unknown outcome, and no refusal may be unmarked. */
export function isSettled({ open, refusal }: ReminderState): boolean {
  return open === null && refusal === null
}

/** If nothing is to be done about the client now: until when. Null: something is. */
export function quietUntil(
  known: KnownClient,
  at: Instant,
): { readonly dueAt: Instant | null; readonly settled: readonly string[] } | null {
  if (!isSettled(known.state)) return null
  const { message, skips, nextAt } = planClient(known.parts, known.state, at)
  return message !== null || skips.length > 0 ? null : { dueAt: nextAt, settled: settledOf(known) }
}

/** Decides what is due now, and sends it. */
async function decide(
  known: KnownClient,
  attempts: number,
  context: CommandContext,
  parts: LookParts,
): Promise<Looked | 'again'> {
  const { merchant, clientId, state, revision, to } = known
  const { merchantId } = merchant
  const at = parts.clock.now().toISOString()
  const plan = planClient(known.parts, state, at)
  if (plan.message === null && plan.skips.length === 0)
    return { kind: 'done', at: plan.nextAt, settled: settledOf(known) }
  const day = localTime(merchant.timeZone).dayOf(at)
  if (plan.message !== null) {
    const delayMs = parts.outages.waitOf(plan.message.channel)
    if (delayMs > 0) return { kind: 'away', delayMs }
    if (!(await parts.days.take(merchantId, day, merchant.limitOn(day)))) return 'again'
  }
  const handled = await parts.commands.handle({
    decider: clientReminderDecider,
    stream: clientReminderStream(clientId),
    command: { type: 'follow', merchantId, clientId, at, parts: known.parts, to },
    // Each state of the stream is followed once.
    context: { ...context, commandId: `follow ${clientId} ${revision ?? 'first'}` },
  })
  const due = handled.events.find(({ type }) => type === 'MessageDue')
  const { open } = handled.state
  if (plan.message !== null && due === undefined) await parts.days.giveBack(merchantId, day)
  if (due === undefined || open === null) {
    const { nextAt } = planClient(known.parts, handled.state, at)
    return { kind: 'done', at: nextAt, settled: settledOf(known) }
  }
  const delivered = await deliver(open, known, context, parts)
  return afterDelivery(delivered, attempts, at)
}

function afterDelivery(delivered: Delivered, attempts: number, at: Instant): Looked | 'again' {
  switch (delivered.kind) {
    case 'sent': {
      // What was read for the sending is not older than the message.
      const quiet = quietUntil(delivered.after, at)
      return quiet === null ? 'again' : { kind: 'done', at: quiet.dueAt, settled: quiet.settled }
    }
    case 'not-sent':
      // Otherwise another channel, or another day, may follow at once.
      return delivered.why === 'not-accepted'
        ? { kind: 'waits', delayMs: retryMs(attempts), reason: delivered.reason }
        : 'again'
    case 'waits':
      return delivered
    default:
      return unreachable(delivered)
  }
}

/** Settles a message whose outcome is not known: no answer came, or the process ended. */
async function settle(
  open: OpenMessage,
  known: KnownClient,
  attempts: number,
  context: CommandContext,
  parts: LookParts,
): Promise<Looked | 'again'> {
  switch (open.channel) {
    case 'mail':
      return repeatMail(open, known, attempts, context, parts)
    case 'text':
      return lookUpText(open, known, attempts, context, parts)
    default:
      return unreachable(open.channel)
  }
}

/** Once, with the same Message-ID, if it would still go out. Otherwise it ends as unknown. */
async function repeatMail(
  open: OpenMessage,
  known: KnownClient,
  attempts: number,
  context: CommandContext,
  parts: LookParts,
): Promise<Looked | 'again'> {
  const { merchant, clientId } = known
  const delayMs = open.isRepeated ? 0 : parts.outages.waitOf('mail')
  if (delayMs > 0) return { kind: 'away', delayMs }
  const handled = await parts.commands.handle({
    decider: clientReminderDecider,
    stream: clientReminderStream(clientId),
    command: {
      type: 'repeat',
      merchantId: merchant.merchantId,
      clientId,
      at: parts.clock.now().toISOString(),
      parts: known.parts,
    },
    context: {
      ...context,
      commandId: `${open.isRepeated ? 'end' : 'repeat'} ${open.messageId}`,
    },
  })
  const repeated = handled.state.open
  if (repeated === null) return 'again'
  const at = parts.clock.now().toISOString()
  return afterDelivery(await deliver(repeated, known, context, parts), attempts, at)
}

async function lookUpText(
  open: OpenMessage,
  known: KnownClient,
  attempts: number,
  context: CommandContext,
  parts: LookParts,
): Promise<Looked | 'again'> {
  const to = await parts.numberOf(open.to)
  if (to === null) return endAsUnknown('the number gets no texts now')
  // The link of the text may have been revoked since.
  const link = portalUrlBeginning(known, parts.compose)
  const since = new Date(localTime(known.parts.client.timeZone).instantOf(open.day, '00:00'))
  const found = await parts.senders.findText({ to, link, since }).catch((error: unknown) => {
    if (error instanceof TextNotSent) return error
    throw error
  })
  if (found instanceof TextNotSent) {
    if (attempts >= maxLookups) return endAsUnknown(`no list of texts (${found.code})`)
    return { kind: 'waits', delayMs: lookupMs * 2 ** attempts, reason: found.message }
  }
  if (found !== null) {
    const { sid: providerId, body } = found
    await record(open, { kind: 'sent', subject: null, body, providerId }, known, context, parts)
    return 'again'
  }
  // The list may not have it yet.
  if (attempts === 0) return { kind: 'waits', delayMs: lookupMs, reason: 'not in the list yet' }
  const reason = 'no answer, and not in the list of texts'
  await record(open, { kind: 'not-sent', why: 'not-accepted', reason }, known, context, parts)
  return 'again'

  async function endAsUnknown(why: string): Promise<'again'> {
    const { merchant, clientId } = known
    await parts.commands.handle({
      decider: clientReminderDecider,
      stream: clientReminderStream(clientId),
      command: {
        type: 'record-unknown',
        merchantId: merchant.merchantId,
        clientId,
        at: parts.clock.now().toISOString(),
        messageId: open.messageId,
        reason: why,
      },
      context: { ...context, commandId: `outcome ${open.messageId}` },
    })
    return 'again'
  }
}

/** Receivables of which nothing is owed. */
function settledOf({ parts: { receivables } }: KnownClient): readonly string[] {
  return receivables.flatMap(({ receivableId, settled }) =>
    settled === null ? [] : [receivableId],
  )
}
