import { describe, expect, it } from '@jest/globals'
import { brand } from '#contracts/brand/brand'
import type { MessageData } from '#services/receivables/messages/message-data'
import { renderReminderMail } from '#services/receivables/messages/render-reminder-mail'
import { renderReminderText } from '#services/receivables/messages/render-reminder-text'
import { originalTemplates } from '#services/receivables/templates/original-templates'
import { aDay, data } from '../../../support/receivables/message-data.ts'
import { shownText } from '../../notifications/shown-text.ts'

const [invoice] = data.receivables
if (invoice === undefined) throw new Error('The sample has an invoice.')
const paid: MessageData = {
  ...data,
  tone: 'thanks',
  today: aDay('2026-11-21'),
  receivables: [{ ...invoice, number: 'AD-1187', currency: 'usd', open: 84_000 }],
}
const { mail: words, text } = originalTemplates.thanks

describe('the thanks for a payment', () => {
  it('say who got how much for what, and how to stop, in HTML and in text', async () => {
    const mail = await renderReminderMail(words, paid, brand)
    for (const part of [shownText(mail.html), mail.text])
      for (const fact of [
        'Hello Grace Whitaker,',
        'Thank you for your payment of $840.00. Invoice AD-1187 is paid in full.',
        'Nov 21, 2026',
        '$0.00',
        'Reply to this e-mail to reach Alder Dental.',
        'Alder Dental, 1140 Alder Street, Suite 3, Eugene, OR 97401',
        'Sent for Alder Dental by Agile Receivables.',
      ])
        expect(part).toContain(fact)
    expect(mail.subject).toBe('Thank you: invoice AD-1187 is paid')
    expect(mail.text).toContain(data.portalUrl)
    expect(mail.headers['List-Unsubscribe']).toBe(`<${data.stopUrl}>`)
    expect(mail.replyTo).toBe('front@alderdental.example')
  })

  it('have the words of the merchant', async () => {
    const own = { subject: 'Paid: {amount}', body: 'We got {amount} from {client} for {invoices}.' }
    const mail = await renderReminderMail(own, paid, brand)
    expect(mail.subject).toBe('Paid: $840.00')
    expect(mail.text).toContain('We got $840.00 from Grace Whitaker for invoice AD-1187.')
  })

  it('fit a text, also with a name in another alphabet', () => {
    expect(renderReminderText(text.body, paid)).toMatchObject({
      body: expect.stringContaining(
        'Thank you, Grace Whitaker. Your payment of $840.00 arrived: invoice AD-1187 is paid.',
      ),
    })
    const long = renderReminderText(text.body, { ...paid, clientName: '鈴木'.repeat(60) })
    expect(long.segments).toBeLessThanOrEqual(2)
    expect(long.body).not.toContain('open on')
  })

  it('keep a name with line breaks and a colon out of the headers', async () => {
    const [receivable] = paid.receivables
    const mail = await renderReminderMail(
      words,
      {
        ...paid,
        sender: { ...data.sender, name: 'Alder\r\nBcc: x@evil.example' },
        receivables: receivable === undefined ? [] : [{ ...receivable, number: 'A\r\nB: 1' }],
      },
      brand,
    )
    expect(mail.fromName).not.toMatch(/[\r\n]/)
    expect(mail.subject).not.toMatch(/[\r\n]/)
  })
})
