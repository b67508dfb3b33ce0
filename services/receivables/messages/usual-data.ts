import type { TemplateTone } from '#contracts/events/message-parts'
import { addDays, type Day } from '#services/finance/calendar'
import type { MessageData, MessageSender } from './message-data.ts'

/**
 * An invented message with values of a usual length: two invoices of a client. Texts must fit with
 * it when a template is saved, and previews show it to a merchant without an open invoice.
 */
export function usualData({
  sender,
  tone,
  today,
  portalUrl,
  stopUrl,
}: {
  readonly sender: MessageSender
  readonly tone: TemplateTone
  readonly today: Day
  readonly portalUrl: string
  readonly stopUrl: string
}): MessageData {
  const usd = { currency: 'usd', reference: null }
  const late = { friendly: 3, firm: 14, final: 30, thanks: 3 }[tone]
  const invoice = (number: string, issued: number, minor: number) => ({
    ...usd,
    number,
    issueDate: addDays(today, -issued - late),
    dueDate: addDays(today, -late),
    amount: minor,
    open: minor,
  })
  return {
    sender,
    tone,
    clientName: 'Grace Whitaker',
    today,
    // A payment settles one invoice.
    receivables:
      tone === 'thanks'
        ? [invoice('AD-1187', 30, 84_000)]
        : [invoice('AD-1187', 30, 84_000), invoice('AD-1214', 14, 28_500)],
    portalUrl,
    stopUrl,
  }
}
