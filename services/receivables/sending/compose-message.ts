import type { Brand } from '#contracts/brand/brand'
import type { StopId, UserId } from '#contracts/ids'
import type { Instant } from '#contracts/instant'
import { unreachable } from '#services/foundation/decider'
import { localTime } from '../reminders/local-time.ts'
import { messageSender } from '../brand/message-sender.ts'
import { dayOf } from '../day-of.ts'
import type { MessageData, OpenReceivable } from '../messages/message-data.ts'
import { renderReminderMail, type RenderedReminder } from '../messages/render-reminder-mail.ts'
import { renderReminderText } from '../messages/render-reminder-text.ts'
import type { PortalTokens } from '../portal/portal-tokens.ts'
import { tagOfMailbox } from '../portal/unsubscribe-link.ts'
import { openOf } from '../receivable-state.ts'
import type { DueStep } from '../reminders/reminder-state.ts'
import type { Channel, Tone } from '../reminders/schedule.ts'
import { currentMail, currentTemplate } from '../templates/decide-templates.ts'
import type { KnownClient } from './known-client.ts'

export interface ComposeParts {
  readonly publicUrl: string
  /** The product, which sends for the merchant. */
  readonly brand: Brand
  readonly tokens: Pick<PortalTokens, 'tokenOf' | 'beginningOf'>
  /** Identifies an e-mail address in the link that stops the mails. */
  readonly idOfMailbox: (merchantId: UserId, address: string) => Promise<StopId | null>
}

/** What a message is about, as it was decided. */
export interface DecidedMessage {
  readonly channel: Channel
  readonly tone: Tone
  readonly to: string
  readonly steps: readonly DueStep[]
}

export type Composed =
  | ({ readonly channel: 'mail' } & RenderedReminder)
  | { readonly channel: 'text'; readonly body: string }

/** The words of a message, with the amounts, the brand and the templates of now. */
export async function composeMessage(
  decided: DecidedMessage,
  known: KnownClient,
  at: Instant,
  parts: ComposeParts,
): Promise<Composed> {
  const { channel, tone } = decided
  const data = await messageData(decided, known, at, parts)
  const { templates } = known.merchant.settings
  switch (channel) {
    case 'text': {
      const { body } = renderReminderText(currentTemplate(templates, decided).body, data)
      return { channel, body }
    }
    case 'mail':
      return {
        channel,
        ...(await renderReminderMail(currentMail(templates, tone), data, parts.brand)),
      }
    default:
      return unreachable(channel)
  }
}

async function messageData(
  { tone, to, steps, channel }: DecidedMessage,
  { merchant: knownMerchant, client, clientId, receivables }: KnownClient,
  at: Instant,
  parts: ComposeParts,
): Promise<MessageData> {
  const { publicUrl } = parts
  const { merchantId, merchant, settings, timeZone } = knownMerchant
  const portalUrl = portalUrlOf({ client, clientId }, parts)
  return {
    sender: messageSender(settings.brand, merchant, publicUrl),
    tone,
    clientName: client.details.name,
    today: localTime(timeZone).dayOf(at),
    receivables: [...new Set(steps.map(({ receivableId }) => receivableId))].flatMap((id) =>
      openReceivable(receivables.get(id)),
    ),
    portalUrl,
    stopUrl:
      channel === 'mail'
        ? await stopUrlOf({ merchantId, to }, { client, clientId }, parts)
        : `${portalUrl}/stop`,
  }
}

/** Where one click, or one request of a mail program, stops the mails to this address. */
export async function stopUrlOf(
  { merchantId, to }: { readonly merchantId: UserId; readonly to: string },
  client: Pick<KnownClient, 'client' | 'clientId'>,
  parts: ComposeParts,
): Promise<string> {
  const stopId = await parts.idOfMailbox(merchantId, to)
  const portalUrl = portalUrlOf(client, parts)
  return stopId === null
    ? `${portalUrl}/stop`
    : `${portalUrl}/unsubscribe?to=${tagOfMailbox(stopId)}`
}

/** The client's page. Each message links to it. */
export function portalUrlOf(
  { client, clientId }: Pick<KnownClient, 'client' | 'clientId'>,
  { publicUrl, tokens }: Pick<ComposeParts, 'publicUrl' | 'tokens'>,
): string {
  return `${publicUrl}/pay/${tokens.tokenOf(clientId, client.portalGeneration)}`
}

/** What each link to the client's page begins with, also one that was revoked since. */
export function portalUrlBeginning(
  { clientId }: Pick<KnownClient, 'clientId'>,
  { publicUrl, tokens }: Pick<ComposeParts, 'publicUrl' | 'tokens'>,
): string {
  return `${publicUrl}/pay/${tokens.beginningOf(clientId)}`
}

/** None if nothing is open of it. */
function openReceivable(
  state: ReturnType<KnownClient['receivables']['get']>,
): readonly OpenReceivable[] {
  if (state === undefined) return []
  const { number, currency, details } = state
  const { issueDate, dueDate, reference, amount } = details
  const open = openOf(state)
  if (open <= 0) return []
  return [
    {
      number,
      currency,
      issueDate: issueDate === null ? null : dayOf(issueDate),
      dueDate: dayOf(dueDate),
      reference,
      amount,
      open,
    },
  ]
}
