import { brand } from '#contracts/brand/brand'
import type { MailTurns } from '#services/mail/mailer'
import type { Receivables } from '#services/receivables/receivables-service'
import type { Reactor } from '#services/reactors/reactor'
import { agendaReactor } from '#services/receivables/sending/agenda'
import { thanksReactor } from '#services/receivables/sending/thanks-reactor'
import { createChannelOutages } from '#services/receivables/sending/channel-outages'
import { createSenders } from '#services/receivables/sending/senders'
import { startSending } from '#services/receivables/sending/start-sending'
import type { ContactStops } from '#services/receivables/stops/contact-stops'
import type { BackgroundParts } from './product-parts.ts'
import { createMerchantOf } from './create-receivables-side.ts'
import { createSendingSide } from './create-sending-side.ts'
import { portalTokensOf, returnTokensOf } from './tokens-of.ts'
import type { StartContext } from './start-context.ts'
import { startMailer } from './start-mailer.ts'

/**
 * Starts the sending of messages to the clients of merchants, and returns its reactors. Its mails
 * have connections of their own, so that no code and no mail to a customer waits behind a slow
 * recipient.
 */
export function startSendingToClients(
  context: StartContext,
  {
    storage: { background: pool },
    commands,
    clock,
    receivables,
    stops,
    smtpUrl,
    mailTurns: turns,
    texts,
  }: Pick<BackgroundParts, 'storage' | 'commands' | 'clock' | 'smtpUrl' | 'texts'> & {
    readonly receivables: Receivables
    readonly stops: ContactStops
    readonly mailTurns: MailTurns
  },
): readonly Reactor[] {
  const { config, log, started } = context
  const mailer = startMailer(context, 'mailer of messages to clients', smtpUrl, { turns })
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
