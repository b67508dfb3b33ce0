import type { Administrators } from '#services/administrators/administrators'
import type { MailTurns } from '#services/mail/mailer'
import { administratorMailReactor } from '#services/notifications/administrator-mails'
import { dateReactor, startDates } from '#services/notifications/date-reactor'
import { linksAt } from '#services/notifications/links'
import { mailReactor } from '#services/notifications/mail-reactor'
import { textReactor } from '#services/notifications/texting/text-reactor'
import type { Reactor } from '#services/reactors/reactor'
import type { ContactStops } from '#services/receivables/stops/contact-stops'
import type { ReadSide } from '#services/read-side/read-side'
import type { BackgroundParts } from './product-parts.ts'
import { returnTokensOf } from './tokens-of.ts'
import type { StartContext } from './start-context.ts'
import { startMailer } from './start-mailer.ts'

/**
 * Starts what dates cause, and returns the reactors of mails and texts. The notifications have a
 * separate connection to the mail server, so that no sign-in code waits behind them.
 */
export function startNotifications(
  context: StartContext,
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
  }: Omit<BackgroundParts, 'emailKeys' | 'side' | 'readSide' | 'reconcilerState'> & {
    readonly receiptOf: ReadSide['receiptOf']
    /** Mails to customers go before messages to clients: both share the turns. */
    readonly mailTurns: MailTurns
    readonly administrators: Administrators
    readonly stops: ContactStops
  },
): readonly Reactor[] {
  const { config, log, started } = context
  const mailer = startMailer(context, 'mailer of notifications', smtpUrl, { turns: mailTurns })
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
