import { brand } from '#contracts/brand/brand'
import {
  isEnquiryId,
  parseEnquiryId,
  parseUserId,
  type EnquiryId,
  type UserId,
} from '#contracts/ids'
import type { Receipt } from '#contracts/receipts'
import { findFarewell, forgetFarewell, type FarewellParts } from '#services/accounts/farewell'
import type { ReceiptFiles } from '#services/billing/receipts/receipt-files'
import type { CommandHandler } from '#services/commands/handle-command'
import { enquiryDecider } from '#services/enquiries/enquiry-decider'
import type { Clock } from '#services/foundation/clock'
import type { FoldedBy } from '#services/foundation/event-consumer'
import type { Queryable } from '#services/foundation/queryable'
import { enquiryStream, streamOwner } from '#services/foundation/stream-names'
import { MailNotSent, type Mailer } from '#services/mail/mailer'
import type { MailOwner, ReturnTokens } from '#services/mail/return-addresses'
import { defineReactor, type EventOf, type Reactor } from '#services/reactors/reactor'
import { foldKnown, type HistoryParts } from './known.ts'
import type { Links } from './links.ts'
import { mailRetry } from './mail-retry.ts'
import { notificationLog } from './notification-log.ts'
import { hasReceiptMail } from './plan-billing-mails.ts'
import { enquiryMails, planEnquiryMails } from './plan-enquiry-mails.ts'
import { planMails, userMails, type UserMailEvent } from './plan-mails.ts'
import type { PlannedMail } from './planned-mail.ts'
import { mailReactorName as name } from './reactor-names.ts'
import { renderNotification } from './render-notification.ts'

export interface MailReactorParts extends HistoryParts {
  readonly commands: Pick<CommandHandler, 'load' | 'record'>
  readonly mailer: Pick<Mailer, 'send'>
  readonly pool: Queryable
  /** Of the address for the last mail after an erasure. */
  readonly keys: FarewellParts['keys']
  /** The business clock. */
  readonly clock: Clock
  readonly links: Links
  /** Waits until the read model has the payment. Null if it does not have it in time. */
  readonly receiptOf: (paymentId: string) => Promise<Receipt | null>
  readonly files: Pick<ReceiptFiles, 'render'>
  /** Name each mail in a report that it came back. */
  readonly tokens: Pick<ReturnTokens, 'tokenOf'>
}

type MailEvent = UserMailEvent | EventOf<FoldedBy<typeof enquiryMails>>

/**
 * Sends the mails that events cause, and records each outcome. What is known is read again before
 * each attempt, so that a mail that is no longer true is not sent. A mail whose outcome is recorded
 * is not sent again: only a crash between the server's answer and the record repeats a mail, with
 * the same Message-ID.
 */
export function mailReactor(parts: MailReactorParts): Reactor {
  return defineReactor({
    name,
    handles: [...userMails, enquiryMails],
    options: {
      ...mailRetry,
      onDead: (event, attempts, error) => giveUp(event, attempts, error, parts),
    },
    effect: (event, attempt) => sendMails(event, attempt, parts),
  })
}

async function sendMails(
  event: MailEvent,
  attempt: number,
  parts: MailReactorParts,
): Promise<void> {
  const mails = await unfinishedMails(event, parts)
  const failures: unknown[] = []
  for (const mail of mails)
    await sendOne(event, mail, attempt, parts).catch((error) => failures.push(error))
  if (failures.length > 0) throw failures[0]
  await forgetAddress(event, parts)
}

async function sendOne(
  event: MailEvent,
  mail: PlannedMail,
  attempt: number,
  parts: MailReactorParts,
): Promise<void> {
  const { record } = logOf(event, parts)
  const mailData = mailDataOf(event, mail)
  if ('unsent' in mail) {
    const { to, unsent: why, reason } = mail
    return record({
      type: 'MailFailed',
      data: { ...mailData, to, attempts: attempt - 1, why, reason },
    })
  }
  const { to, notification } = mail
  const attachment =
    notification.kind === 'receipt' ? await attached(notification.receipt, parts) : undefined
  try {
    await parts.mailer.send({
      to,
      ...(await renderNotification(notification, { brand, publicUrl: parts.links.origin })),
      messageId: mailData.messageId,
      returnToken: parts.tokens.tokenOf(ownerOf(event), mailData.messageId),
      isAutomatic: true,
      ...(attachment === undefined ? {} : { attachment }),
    })
  } catch (error) {
    if (!(error instanceof MailNotSent) || !error.isAddressRefused) throw error
    // A retry cannot succeed, for example at a mistyped address.
    return record({
      type: 'MailFailed',
      data: { ...mailData, to, attempts: attempt, why: 'refused', reason: error.codes },
    })
  }
  await record({ type: 'MailSent', data: { ...mailData, to, attempts: attempt } })
}

/** Records that the mails of a dead letter are not sent. A retry can still send them. */
async function giveUp(
  event: MailEvent,
  attempts: number,
  error: unknown,
  parts: MailReactorParts,
): Promise<void> {
  const { recordAttempt } = logOf(event, parts)
  const reason = error instanceof MailNotSent ? error.codes : 'see the dead letter'
  for (const mail of await unfinishedMails(event, parts))
    await recordAttempt(attempts, {
      type: 'MailFailed',
      data: {
        ...mailDataOf(event, mail),
        to: mail.to,
        attempts,
        why: 'gave-up',
        reason,
      },
    })
  await forgetAddress(event, parts)
}

/** The mail that confirms an erasure has its outcome. */
async function forgetAddress(event: MailEvent, parts: MailReactorParts): Promise<void> {
  if (event.type === 'PersonalDataErased')
    await forgetFarewell(parts, parseUserId(streamOwner(event.stream)))
}

/** The mails of the event whose outcome is not recorded. */
async function unfinishedMails(
  event: MailEvent,
  parts: MailReactorParts,
): Promise<readonly PlannedMail[]> {
  const finished = await logOf(event, parts).finishedMails()
  const mails = await plan(event, parts)
  return mails.filter(({ recipient }) => !finished.has(messageIdOf(event.id, recipient)))
}

async function plan(event: MailEvent, parts: MailReactorParts): Promise<readonly PlannedMail[]> {
  const owner = streamOwner(event.stream)
  if (event.type === 'EnquirySubmitted') {
    const { state } = await parts.commands.load({
      decider: enquiryDecider,
      stream: enquiryStream(parseEnquiryId(owner)),
    })
    return planEnquiryMails(event, state.kind === 'submitted' && state.isErased, parts.links, brand)
  }
  const userId = parseUserId(owner)
  const known = await foldKnown(userId, event, parts)
  const isErased = event.type === 'PersonalDataErased'
  const farewell = isErased ? await findFarewell(parts, userId) : null
  return planMails(
    event,
    {
      ...known,
      receipt: await receiptFor(event, parts),
      farewell,
      at: parts.clock.now().toISOString(),
    },
    parts.links,
  )
}

async function receiptFor(
  event: MailEvent,
  { receiptOf }: MailReactorParts,
): Promise<Receipt | null> {
  if (event.type !== 'PaymentSucceeded' || !hasReceiptMail(event.data)) return null
  const receipt = await receiptOf(event.data.paymentId)
  if (receipt === null)
    throw new Error('The read model does not have the payment yet. The mail is tried again.')
  return receipt
}

async function attached(receipt: Receipt, { files }: MailReactorParts) {
  return {
    fileName: receipt.file_name,
    contentType: 'application/pdf',
    content: await files.render(receipt),
  }
}

function mailDataOf(event: MailEvent, { kind, recipient }: PlannedMail) {
  return {
    kind,
    recipient,
    causeId: event.id,
    messageId: messageIdOf(event.id, recipient),
    ...(event.type === 'EnquirySubmitted' ? { addressHmac: event.data.addressHmac } : {}),
  }
}

/** A repeat of the mail has the same Message-ID. */
function messageIdOf(eventId: string, recipient: PlannedMail['recipient']): string {
  return `${eventId}.${recipient}@${brand.senderEmail.replace(/^.*@/, '')}`
}

function ownerOf({ stream }: MailEvent): MailOwner & { readonly id: UserId | EnquiryId } {
  const id = streamOwner(stream)
  return isEnquiryId(id) ? { kind: 'enquiry', id } : { kind: 'user', id: parseUserId(id) }
}

function logOf(event: MailEvent, { commands, store, clock }: MailReactorParts) {
  return notificationLog(ownerOf(event).id, { commands, store, clock, cause: event, reactor: name })
}
