import type { Logger } from 'pino'
import { notificationEvents } from '#contracts/events/notification'
import type { EnquiryId, UserId } from '#contracts/ids'
import type { CommandHandler } from '#services/commands/handle-command'
import type { EventStore } from '#services/event-store/event-store'
import { refuseUnknown } from '#services/event-store/newer-event'
import type { Clock } from '#services/foundation/clock'
import { createMinuteLine } from '#services/foundation/minute-line'
import { notificationStream } from '#services/foundation/stream-names'
import { tokenHeader } from '#services/mail/mailer'
import { readReport, type DeliveryReport } from '#services/mail/reports/read-report'
import { verdictOf, type Verdict } from '#services/mail/reports/verdict'
import { tokenIn, type MailOwner, type ReturnTokens } from '#services/mail/return-addresses'
import { recordClientReturn, type ClientReturnParts } from './client-return.ts'
import { reportContext } from './report-context.ts'

/**
 * What became of a mail to BOUNCE_ADDRESS. `client-bounced`: a client's address takes no mails.
 * `client-returned`: a message to a client came back for another reason. `own-returned`: a mail of
 * the product came back. `unknown-mail`: the report names no mail that the product sent.
 * `no-report`: an automatic answer, or any other mail.
 */
export const reportOutcomes = [
  'client-bounced',
  'client-returned',
  'own-returned',
  'waits',
  'arrived',
  'unknown-mail',
  'no-report',
] as const
type ReportOutcome = (typeof reportOutcomes)[number]

export interface ReturnedMailParts extends ClientReturnParts {
  readonly commands: Pick<CommandHandler, 'load' | 'handle' | 'record'>
  readonly store: Pick<EventStore, 'readStream'>
  /** The business clock. */
  readonly clock: Clock
  readonly tokens: ReturnTokens
  readonly bounceAddress: string
  readonly onOutcome: (outcome: ReportOutcome) => void
  readonly log: Pick<Logger, 'info' | 'warn'>
}

export interface ReturnedMails {
  /**
   * Takes a mail that came to BOUNCE_ADDRESS, and records what it reports. A repeat records
   * nothing. `recipients`: the addresses of the SMTP envelope.
   * @throws EventStoreUnavailable
   */
  take(raw: Buffer, recipients?: readonly string[]): Promise<ReportOutcome>
}

/** A report has one token in up to three places. */
const mostTokens = 5

/** What MailSent and MailFailed have of it, too. */
const ownMail = notificationEvents.MailReturned.schema.omit({ reason: true })

/**
 * Reads delivery reports and records them. Only the token of a mail that was sent counts: without
 * it, a stranger could report any address as bounced.
 */
export function createReturnedMails(parts: ReturnedMailParts): ReturnedMails {
  const { tokens, bounceAddress, log, onOutcome } = parts
  const unknown = createMinuteLine()

  async function outcomeOf(raw: Buffer, recipients: readonly string[]): Promise<ReportOutcome> {
    const report = await readReport(raw)
    if (report === null) return 'no-report'
    const verdict = verdictOf(report)
    for (const token of tokensOf(report, recipients)) {
      const owner = tokens.ownerIn(token)
      const found = owner === null ? null : await record(owner, token, verdict)
      if (found === null) continue
      log.info(
        // The logger takes a Message-ID for an address.
        { outcome: found.outcome, mail: found.messageId.split('@', 1)[0], reason: verdict.reason },
        found.outcome === 'waits'
          ? 'A mail waits at a mail server, which tries again; nothing changes.'
          : 'A delivery report was taken.',
      )
      return found.outcome
    }
    unknown((reports) =>
      log.warn(
        { reports },
        'Delivery reports name no mail that the product sent, or a message before the last 30 to a client; nothing changes.',
      ),
    )
    return 'unknown-mail'
  }

  /** Each token that the report may be about, the one of the envelope first. */
  function tokensOf({ to, envelopeId, returned }: DeliveryReport, recipients: readonly string[]) {
    const named = [...recipients, ...to].map((address) => tokenIn(bounceAddress, address))
    const header = returned.get(tokenHeader.toLowerCase()) ?? null
    const all = [...named, envelopeId, header].flatMap((token) =>
      token === null ? [] : [token.trim().toLowerCase()],
    )
    return [...new Set(all)].slice(0, mostTokens)
  }

  async function record(owner: MailOwner, token: string, verdict: Verdict) {
    const isMail = (messageId: string) => tokens.isOf(token, owner, messageId)
    return owner.kind === 'client'
      ? recordClientReturn(owner.id, isMail, verdict, parts)
      : recordOwnReturn(owner.id, isMail, verdict, parts)
  }

  return {
    async take(raw, recipients = []) {
      const outcome = await outcomeOf(raw, recipients)
      onOutcome(outcome)
      return outcome
    },
  }
}

/** Null if no mail to the owner is the one of the token. */
async function recordOwnReturn(
  owner: UserId | EnquiryId,
  isMail: (messageId: string) => boolean,
  { kind, reason }: Verdict,
  { commands, store, clock }: ReturnedMailParts,
): Promise<{ readonly outcome: ReportOutcome; readonly messageId: string } | null> {
  const stream = notificationStream(owner)
  const events = await store.readStream(stream)
  refuseUnknown(events)
  const mail = events
    .filter(({ type }) => type === 'MailSent' || type === 'MailFailed')
    .map(({ data }) => ownMail.parse(data))
    .find(({ messageId }) => isMail(messageId))
  if (mail === undefined) return null
  const { messageId } = mail
  if (kind === 'waits' || kind === 'arrived') return { outcome: kind, messageId }
  await commands.record({
    stream,
    event: {
      type: 'MailReturned',
      data: { ...mail, reason },
      occurredAt: clock.now().toISOString(),
    },
    context: reportContext(messageId),
    mayRepeat: true,
  })
  return { outcome: 'own-returned', messageId }
}
