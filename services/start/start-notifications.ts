import type { Administrators } from '#services/administrators/administrators'
import type { CommandHandler } from '#services/commands/handle-command'
import type { PdfFiles } from './pdf-files.ts'
import type { EventCodec } from '#services/event-store/encryption/codec'
import type { PersonalKeys } from '#services/event-store/encryption/personal-keys'
import type { Clock } from '#services/foundation/clock'
import { createMailer, type MailTurns } from '#services/mail/mailer'
import { administratorMailReactor } from '#services/notifications/administrator-mails'
import { dateReactor, startDates } from '#services/notifications/date-reactor'
import { linksAt } from '#services/notifications/links'
import { mailReactor } from '#services/notifications/mail-reactor'
import { textReactor } from '#services/notifications/texting/text-reactor'
import type { Reactor } from '#services/reactors/reactor'
import type { ContactStops } from '#services/receivables/stops/contact-stops'
import type { TextSender } from '#services/sms/text-sender'
import { notingMailer } from '#services/mail/noting-mailer'
import type { Storage } from './open-storage.ts'
import type { ReadSide } from '#services/read-side/read-side'
import { returnTokensOf } from './return-tokens-of.ts'
import type { StartContext } from './start-context.ts'

/**
 * Starts what dates cause, and returns the reactors of mails and texts. The notifications have a
 * separate connection to the mail server, so that no sign-in code waits behind them.
 */
export function startNotifications(
  { config, log, started, tracing, outside }: StartContext,
  {
    storage: { background: pool, store },
    commands,
    codec,
    keys,
    clock,
    smtpUrl,
    receiptOf,
    files,
    administrators,
    stops,
    mailTurns,
    texts: sender,
  }: {
    readonly storage: Storage
    readonly commands: CommandHandler
    readonly codec: EventCodec
    readonly keys: PersonalKeys
    /** The business clock. */
    readonly clock: Clock
    readonly smtpUrl: string
    /** Notices go before messages to clients: both share the turns. */
    readonly mailTurns: MailTurns
    /** Null: no texts are sent. */
    readonly texts: TextSender | null
    readonly receiptOf: ReadSide['receiptOf']
    readonly files: PdfFiles
    readonly administrators: Administrators
    readonly stops: ContactStops
  },
): readonly Reactor[] {
  const mailer = tracing.mailer(
    notingMailer(
      createMailer(smtpUrl, config.mailFrom, {
        turns: mailTurns,
        bounceAddress: config.bounces?.address ?? null,
      }),
      outside.mails,
    ),
  )
  started.add('mailer of notifications', () => Promise.resolve(mailer.close()))
  const tokens = returnTokensOf(config)
  const parts = { store, codec, commands, clock, links: linksAt(config.publicUrl) }
  const dates = { ...parts, pool, log }
  started.add('reminders', startDates(dates))
  return [
    dateReactor(dates),
    administratorMailReactor({ administrators, mailer, links: parts.links }),
    mailReactor({ ...parts, pool, keys, mailer, receiptOf, files: files.receipts, tokens }),
    ...(sender === null
      ? []
      : [
          textReactor({
            ...parts,
            sender,
            countries: config.textCountries,
            stops,
          }),
        ]),
  ]
}
