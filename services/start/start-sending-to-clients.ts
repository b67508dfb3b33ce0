import { brand } from '#contracts/brand/brand'
import type { CommandHandler } from '#services/commands/handle-command'
import type { Clock } from '#services/foundation/clock'
import { createMailer, type MailTurns } from '#services/mail/mailer'
import type { Receivables } from '#services/receivables/receivables-service'
import type { Reactor } from '#services/reactors/reactor'
import { agendaReactor } from '#services/receivables/sending/agenda'
import { thanksReactor } from '#services/receivables/sending/thanks-reactor'
import { createChannelOutages } from '#services/receivables/sending/channel-outages'
import { createSenders } from '#services/receivables/sending/senders'
import { startSending } from '#services/receivables/sending/start-sending'
import type { ContactStops } from '#services/receivables/stops/contact-stops'
import type { TextSender } from '#services/sms/text-sender'
import { createMerchantOf } from './create-receivables-side.ts'
import { createSendingSide } from './create-sending-side.ts'
import { notingMailer } from '#services/mail/noting-mailer'
import type { Storage } from './open-storage.ts'
import { portalTokensOf } from './portal-tokens-of.ts'
import { returnTokensOf } from './return-tokens-of.ts'
import type { StartContext } from './start-context.ts'

/**
 * Starts the sending of messages to the clients of merchants, and returns its reactors. Its mails
 * have connections of their own, so that no code and no notice waits behind a slow recipient.
 */
export function startSendingToClients(
  { config, log, started, tracing, outside }: StartContext,
  {
    storage: { background: pool },
    commands,
    clock,
    receivables,
    stops,
    smtpUrl,
    mailTurns: turns,
    texts,
  }: {
    readonly storage: Storage
    readonly commands: CommandHandler
    /** The business clock. */
    readonly clock: Clock
    readonly receivables: Receivables
    readonly stops: ContactStops
    readonly smtpUrl: string
    readonly mailTurns: MailTurns
    /** Null: no texts are sent. */
    readonly texts: TextSender | null
  },
): readonly Reactor[] {
  const mailer = tracing.mailer(
    notingMailer(
      createMailer(smtpUrl, config.mailFrom, {
        turns,
        bounceAddress: config.bounces?.address ?? null,
      }),
      outside.mails,
    ),
  )
  started.add('mailer of messages to clients', () => Promise.resolve(mailer.close()))
  const parts = {
    ...createSendingSide({
      pool,
      commands,
      receivables,
      merchantOf: createMerchantOf(commands),
      stops,
      tokens: portalTokensOf(config),
      publicUrl: config.publicUrl,
      textCountries: texts === null ? null : config.textCountries,
      clock,
    }),
    senders: createSenders({
      mailer,
      texts,
      mailDomain: brand.senderEmail.replace(/^.*@/, ''),
      returnTokens: returnTokensOf(config),
    }),
    commands,
    clock,
  }
  started.add(
    'messages to clients',
    startSending({ ...parts, outages: createChannelOutages(), pool, receivables, stops, log }),
  )
  return [agendaReactor({ clock }), thanksReactor(parts)]
}
