import { daysBetween } from '#services/finance/calendar'
import type { Description, TimeLine } from '#services/mail/mail-content'
import { oneLine } from '#services/mail/one-line'
import type { MailTemplate } from '../templates/original-templates.ts'
import { fillTemplate } from './fill-template.ts'
import type { MessageData, OpenReceivable } from './message-data.ts'
import {
  byDueDate,
  countOf,
  dayInWords,
  moneyInWords,
  plainName,
  sumsOf,
  templateValues,
} from './values.ts'

/** What a mail to a client says. The mail and the preview of the pages are made from it. */
export interface ReminderContent {
  readonly subject: string
  readonly topic: string
  readonly preheader: string
  /** What is open, by currency. */
  readonly figures: readonly { readonly label: string; readonly value: string }[]
  /** The paragraphs of the template. */
  readonly words: readonly string[]
  readonly action: { readonly label: string; readonly url: string }
  /** Of a message about one invoice. */
  readonly line: TimeLine | null
  readonly descriptions: readonly Description[]
  readonly foot: {
    readonly reply: string
    readonly address: string
    readonly why: string
    readonly stop: { readonly label: string; readonly url: string }
    readonly sentFor: string
  }
}

/** Invoices in the table of a mail. The page of the client has all. */
const maxListed = 20

/** `productName` sends, for the merchant. */
export function messageContent(
  template: MailTemplate,
  data: MessageData,
  productName: string,
): ReminderContent {
  return data.tone === 'thanks'
    ? thanksContent(template, data, productName)
    : reminderContent(template, data, productName)
}

function reminderContent(
  template: MailTemplate,
  data: MessageData,
  productName: string,
): ReminderContent {
  const values = templateValues(data)
  const receivables = byDueDate(data.receivables)
  const [only] = receivables.length === 1 ? receivables : []
  const { company } = values
  const count = receivables.length
  const of = only === undefined ? `on ${countOf(count)}` : `on invoice ${plainName(only.number)}`
  return {
    ...wordsOf(template, values),
    topic: 'Reminder',
    preheader: `${values.amount} is open ${of}.`,
    figures: sumsOf(receivables).map((sum, index) => ({
      label: index === 0 ? `Open ${of}` : `Open in ${sum.currency.toUpperCase()}`,
      value: moneyInWords(sum),
    })),
    action: {
      label: only === undefined ? `See the ${countOf(count)}` : 'See the invoice',
      url: data.portalUrl,
    },
    line: only === undefined ? null : lineOf(only, data),
    descriptions: only === undefined ? descriptionsOfAll(receivables) : descriptionsOf(only),
    foot: {
      reply: `Reply to this e-mail to reach ${company}.`,
      address: [company, ...data.sender.address.map(plainName)].join(', '),
      why: `You get this because ${company} issued ${only === undefined ? 'these invoices' : 'this invoice'} to you.`,
      stop: { label: 'Stop reminders by e-mail', url: data.stopUrl },
      sentFor: `Sent for ${company} by ${productName}.`,
    },
  }
}

/** Thanks for the payment that settled an invoice: `open` is what it paid. */
function thanksContent(
  template: MailTemplate,
  data: MessageData,
  productName: string,
): ReminderContent {
  const values = templateValues(data)
  const { company, amount } = values
  const [paid] = data.receivables
  const number = plainName(paid?.number ?? '')
  const nothing = moneyInWords({ currency: paid?.currency ?? 'usd', amount: 0 })
  return {
    ...wordsOf(template, values),
    topic: 'Thank you',
    preheader: `${company} has your payment of ${amount}.`,
    figures: [{ label: `Paid on invoice ${number}`, value: amount }],
    action: { label: 'See your account', url: data.portalUrl },
    line: null,
    descriptions: [
      { term: 'Invoice', value: number },
      { term: 'Paid', value: dayInWords(data.today) },
      { term: 'Open', value: nothing },
    ],
    foot: {
      reply: `Reply to this e-mail to reach ${company}.`,
      address: [company, ...data.sender.address.map(plainName)].join(', '),
      why: `You get this because you paid an invoice of ${company}.`,
      stop: { label: 'Stop e-mails', url: data.stopUrl },
      sentFor: `Sent for ${company} by ${productName}.`,
    },
  }
}

/** The merchant's words, with their values. */
function wordsOf(template: MailTemplate, values: ReturnType<typeof templateValues>) {
  return {
    subject: oneLine(fillTemplate(template.subject, values)),
    words: fillTemplate(template.body, values)
      .split(/\n{2,}/)
      .map((paragraph) => paragraph.trim())
      .filter((paragraph) => paragraph !== ''),
  }
}

/** From the issue to the due date with the needle at today, or from the due date to today. */
function lineOf({ issueDate, dueDate }: OpenReceivable, { today }: MessageData): TimeLine | null {
  const late = daysBetween(dueDate, today)
  if (late > 0)
    return {
      start: { mark: 'hollow', label: 'Due', date: dayInWords(dueDate) },
      end: { mark: 'needle', label: 'Today', date: `${late} ${late === 1 ? 'day' : 'days'} later` },
    }
  if (issueDate === null) return null
  const whole = daysBetween(issueDate, dueDate)
  return {
    start: { mark: 'hollow', label: 'Issued', date: dayInWords(issueDate) },
    end: { mark: 'hollow', label: 'Due', date: dayInWords(dueDate) },
    now: { share: whole <= 0 ? 1 : daysBetween(issueDate, today) / whole, label: 'Today' },
  }
}

function descriptionsOf(receivable: OpenReceivable): readonly Description[] {
  const { number, currency, dueDate, reference, amount, open } = receivable
  const money = (minor: number) => moneyInWords({ currency, amount: minor })
  return [
    { term: 'Invoice', value: plainName(number) },
    ...(reference === null ? [] : [{ term: 'Reference', value: plainName(reference) }]),
    { term: 'Due', value: dayInWords(dueDate) },
    { term: 'Amount', value: money(amount) },
    ...(amount === open ? [] : [{ term: 'Paid or credited', value: money(open - amount) }]),
    { term: 'Open', value: money(open), isSum: true },
  ]
}

function descriptionsOfAll(receivables: readonly OpenReceivable[]): readonly Description[] {
  const rest = receivables.length - maxListed
  return [
    ...receivables.slice(0, maxListed).map(({ number, dueDate, currency, open }) => ({
      term: `${plainName(number)}, due ${dayInWords(dueDate)}`,
      value: moneyInWords({ currency, amount: open }),
    })),
    ...(rest > 0 ? [{ term: `${countOf(rest)} more`, value: 'On the page' }] : []),
    ...sumsOf(receivables).map((sum) => ({
      term: 'Open',
      value: moneyInWords(sum),
      isSum: true,
    })),
  ]
}
