import type { BrandShades } from '#contracts/receivables/brand-color'
import type { TemplateTone } from '#contracts/events/message-parts'
import type { Day } from '#services/finance/calendar'

/** What a message is about and in whose name it is: plain data, read from the log. */
export interface MessageData {
  readonly sender: MessageSender
  readonly tone: TemplateTone
  readonly clientName: string
  /** The merchant's day. */
  readonly today: Day
  /** One at least. */
  readonly receivables: readonly OpenReceivable[]
  /** The page of the client. */
  readonly portalUrl: string
  /** The address at which one click, or one request of a mail program, ends the mails. */
  readonly stopUrl: string
}

/** The merchant, as its clients see it. */
export interface MessageSender {
  /** The company name, or the sender name that an administrator approved. */
  readonly name: string
  readonly logo: { readonly url: string; readonly width: number; readonly height: number } | null
  readonly shades: { readonly light: BrandShades; readonly dark: BrandShades }
  /** Where answers to a mail go. */
  readonly replyTo: string
  /** The lines of the postal address. */
  readonly address: readonly string[]
}

/** Amounts are minor units of the currency. */
export interface OpenReceivable {
  readonly number: string
  readonly currency: string
  readonly issueDate: Day | null
  readonly dueDate: Day
  readonly reference: string | null
  readonly amount: number
  /** More than 0. In thanks: what the payment paid. */
  readonly open: number
}
