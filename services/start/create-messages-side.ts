import { brand } from '#contracts/brand/brand'
import type { ReturnTokens } from '#services/mail/return-addresses'
import type { Mailer } from '#services/mail/mailer'
import type { ReceivablesQueries } from '#services/receivables/receivables-queries'
import type { MessagesOf } from '#services/receivables/messages-of'
import { createByHand, type ByHand } from '#services/receivables/sending/by-hand'
import { createChannelOutages } from '#services/receivables/sending/channel-outages'
import { nextClients } from '#services/receivables/sending/client-appointments'
import { createComingMessages } from '#services/receivables/sending/coming-messages'
import { othersDue } from '#services/receivables/sending/others-due'
import { createNextMessages } from '#services/receivables/sending/next-messages'
import { createNextSteps } from '#services/receivables/sending/next-steps'
import type { OthersDueOf } from '#services/receivables/sending/places-of-others'
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
  queries,
  ...parts
}: SendingSideParts & {
  readonly queries: Pick<ReceivablesQueries, 'owingClientsAmong' | 'lastEndedSteps'>
  readonly mailer: Pick<Mailer, 'send'>
  /** Null: no texts are sent. */
  readonly texts: TextSender | null
  /** Name each mail in a report that it came back. */
  readonly returnTokens: Pick<ReturnTokens, 'tokenOf'>
}): Pick<SendingSide, 'days' | 'textNumberOf'> & {
  readonly messagesOf: MessagesOf
  readonly byHand: ByHand
} {
  const { pool, commands, clock, stops } = parts
  const side = createSendingSide(parts)
  const ofSide = {
    known: side.known,
    queries: {
      ...queries,
      textNumberOf: side.textNumberOf,
      manyStopsOf: stops.manyStopsOf,
    },
    othersDue: (of: Parameters<OthersDueOf>[0], times: Parameters<OthersDueOf>[1]) =>
      othersDue(pool, of, times),
    clock,
  }
  return {
    days: side.days,
    textNumberOf: side.textNumberOf,
    messagesOf: {
      ...createComingMessages(ofSide),
      ...createNextMessages({
        ...ofSide,
        nextClients: (merchantId, max, until) => nextClients(pool, merchantId, max, until),
      }),
      ...createNextSteps(ofSide),
    },
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
