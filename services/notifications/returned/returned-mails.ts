import type { Logger } from 'pino'
import type { CommandHandler } from '#services/commands/handle-command'
import { createMinuteLine } from '#services/foundation/minute-line'
import { tokenHeader } from '#services/mail/mailer'
import { readReport, type DeliveryReport } from '#services/mail/reports/read-report'
import { verdictOf, type Verdict } from '#services/mail/reports/verdict'
import { tokenIn, type ReturnTokens } from '#services/mail/return-addresses'
import { findClientMail, recordClientReturn, type ClientReturnParts } from './client-return.ts'
import { findOwnMail, recordOwnReturn, type OwnReturnParts } from './own-return.ts'

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

export interface ReturnedMailParts extends ClientReturnParts, OwnReturnParts {
  readonly commands: Pick<CommandHandler, 'load' | 'handle' | 'record'>
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
  /**
   * Whether the address is the return address of a mail that was sent.
   * @throws EventStoreUnavailable
   */
  isReturnAddress(address: string): Promise<boolean>
}

/** A report has one token in up to three places. */
const maxTokens = 5

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
      const mail = await mailOf(token)
      if (mail === null) continue
      const { kind, reason } = verdict
      const outcome =
        kind === 'waits' || kind === 'arrived' ? kind : await mail.record({ kind, reason })
      log.info(
        // The logger takes a Message-ID for an address.
        { outcome, mail: mail.messageId.split('@', 1)[0], reason },
        outcome === 'waits'
          ? 'A mail waits at a mail server, which tries again; nothing changes.'
          : 'A delivery report was taken.',
      )
      return outcome
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
    return [...new Set(all)].slice(0, maxTokens)
  }

  /** The mail that the token names, if it was sent, and how its return is recorded. */
  async function mailOf(token: string): Promise<FoundMail | null> {
    const owner = tokens.ownerIn(token)
    if (owner === null) return null
    const isMail = (messageId: string) => tokens.isOf(token, owner, messageId)
    if (owner.kind === 'client') {
      const { id } = owner
      const mail = await findClientMail(id, isMail, parts)
      if (mail === null) return null
      const { messageId } = mail
      return { messageId, record: (verdict) => recordClientReturn(id, mail, verdict, parts) }
    }
    const { id } = owner
    const mail = await findOwnMail(id, isMail, parts)
    if (mail === null) return null
    const { messageId } = mail
    return { messageId, record: ({ reason }) => recordOwnReturn(id, mail, reason, parts) }
  }

  return {
    async take(raw, recipients = []) {
      const outcome = await outcomeOf(raw, recipients)
      onOutcome(outcome)
      return outcome
    },
    async isReturnAddress(address) {
      const token = tokenIn(bounceAddress, address)
      return token !== null && (await mailOf(token)) !== null
    },
  }
}

interface FoundMail {
  readonly messageId: string
  readonly record: (
    verdict: Verdict & { readonly kind: 'bounced' | 'returned' },
  ) => Promise<ReportOutcome>
}
