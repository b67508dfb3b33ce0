import { brand } from '#contracts/brand/brand'
import type { ReturnTokens } from '#services/mail/return-addresses'
import type { Mailer } from '#services/mail/mailer'
import type { MessagesOf } from '#services/receivables/messages-of'
import { createByHand, type ByHand } from '#services/receivables/sending/by-hand'
import { createChannelOutages } from '#services/receivables/sending/channel-outages'
import { nextClients } from '#services/receivables/sending/client-appointments'
import { createComingMessages } from '#services/receivables/sending/coming-messages'
import { othersDue } from '#services/receivables/sending/others-due'
import { createSenders } from '#services/receivables/sending/senders'
import type { TextSender } from '#services/sms/text-sender'
import {
  createSendingSide,
  type SendingSide,
  type SendingSideParts,
} from './create-sending-side.ts'

/** What the screens show of coming messages, and what a merchant sends by hand. */
export function createMessagesSide({
  mailer,
  texts,
  returnTokens,
  ...parts
}: SendingSideParts & {
  readonly mailer: Pick<Mailer, 'send'>
  /** Null: no texts are sent. */
  readonly texts: TextSender | null
  /** Name each mail in a report that it came back. */
  readonly returnTokens: Pick<ReturnTokens, 'tokenOf'>
}): Pick<SendingSide, 'days' | 'textNumberOf'> & {
  readonly messagesOf: MessagesOf
  readonly byHand: ByHand
} {
  const { pool, commands, clock } = parts
  const side = createSendingSide(parts)
  return {
    days: side.days,
    textNumberOf: side.textNumberOf,
    messagesOf: createComingMessages({
      known: side.known,
      othersDue: (of, times) => othersDue(pool, of, times),
      nextClients: (merchantId, most) => nextClients(pool, merchantId, most),
      clock,
    }),
    byHand: createByHand({
      ...side,
      pool,
      commands,
      clock,
      senders: createSenders({
        mailer,
        texts,
        mailDomain: brand.senderEmail.replace(/^.*@/, ''),
        returnTokens,
      }),
      outages: createChannelOutages(),
    }),
  }
}
