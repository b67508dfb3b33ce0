import type { Brand } from '#contracts/brand/brand'
import type { Day } from '#services/finance/calendar'
import { oneLine } from '#services/mail/one-line'
import { renderMail } from '#services/mail/render-mail'
import type { MessageSender } from './message-facts.ts'
import type { RenderedReminder } from './render-reminder-mail.ts'
import { dayInWords, moneyInWords, plainName } from './values.ts'

export interface ThanksFacts {
  readonly sender: MessageSender
  readonly clientName: string
  readonly number: string
  readonly currency: string
  /** Of the payment, in minor units. */
  readonly paid: number
  /** The merchant's day. */
  readonly paidOn: Day
  /** The page of the client. */
  readonly portalUrl: string
  readonly stopUrl: string
}

/** Thanks for the payment that settled an invoice, in the merchant's name. */
export async function renderThanksMail(
  facts: ThanksFacts,
  brand: Brand,
): Promise<RenderedReminder> {
  const { sender, paidOn, portalUrl, stopUrl } = facts
  const company = plainName(sender.name)
  const number = plainName(facts.number)
  const paid = moneyInWords({ currency: facts.currency, amount: facts.paid })
  const subject = oneLine(`Thank you: invoice ${number} is paid`)
  return {
    fromName: oneLine(sender.name),
    replyTo: sender.replyTo,
    subject,
    ...(await renderMail(
      {
        subject,
        topic: 'Thank you',
        preheader: `${company} has your payment of ${paid}.`,
        blocks: [
          { type: 'figure', label: `Paid on invoice ${number}`, value: paid },
          { type: 'words', text: `Hello ${plainName(facts.clientName)},` },
          {
            type: 'words',
            text: `Thank you for your payment of ${paid}. Invoice ${number} is paid in full.`,
          },
          { type: 'action', label: 'See your account', url: portalUrl },
          {
            type: 'facts',
            facts: [
              { term: 'Invoice', value: number },
              { term: 'Paid', value: dayInWords(paidOn) },
              { term: 'Open', value: moneyInWords({ currency: facts.currency, amount: 0 }) },
            ],
          },
        ],
      },
      brand,
      {
        name: oneLine(sender.name),
        logo: sender.logo,
        shades: sender.shades,
        foot: [
          { text: `Reply to this e-mail to reach ${company}.` },
          { text: [company, ...sender.address.map(plainName)].join(', ') },
          {
            text: `You get this because you paid an invoice of ${company}. Sent for ${company} by ${brand.name}.`,
            link: { label: 'Stop e-mails', url: stopUrl },
          },
        ],
      },
    )),
    headers: {
      'List-Unsubscribe': `<${new URL(stopUrl).href}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  }
}
