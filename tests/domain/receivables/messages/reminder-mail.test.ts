import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { createTransport } from 'nodemailer'
import PostalMime from 'postal-mime'
import { brand } from '#contracts/brand/brand'
import { renderReminderMail } from '#services/receivables/messages/render-reminder-mail'
import { originalTemplates, tones } from '#services/receivables/templates/original-templates'
import { anyData, anyText, aDay, data, invoice } from '../../../support/receivables/message-data.ts'
import { preheaderOf, shownText } from '../../notifications/shown-text.ts'

const firm = originalTemplates.firm.mail
const mail = await renderReminderMail(firm, data, brand)

describe('a reminder by mail', () => {
  it('says who sends, for whom, what is owed and how to stop, in HTML and in text', () => {
    for (const part of [shownText(mail.html), mail.text]) {
      for (const fact of [
        '$840.00',
        'Hello Grace Whitaker,',
        'Invoice AD-1187 is 7 days late.',
        '$1,240.00',
        '−$400.00',
        'Plan 2 of 3',
        'Reply to this e-mail to reach Alder Dental.',
        'Alder Dental, 1140 Alder Street, Suite 3, Eugene, OR 97401',
        'You get this because Alder Dental issued this invoice to you.',
        'Sent for Alder Dental by Agile Receivables.',
      ])
        expect(part).toContain(fact)
      expect(part).not.toContain(brand.supportEmail)
    }
    expect(mail.subject).toBe('Invoice AD-1187 is 7 days late: $840.00')
    expect(preheaderOf(mail.html)).toBe('$840.00 is open on invoice AD-1187.')
    expect(mail.text).toContain(data.portalUrl)
    expect(mail.text).toContain(data.stopUrl)
  })

  it('has the color and the logo of the merchant, and no needle of the product', () => {
    expect(mail.html).toContain('#3B4A9B')
    expect(mail.html).toContain('src="https://agilereceivables.example/logo"')
    expect(mail.html).not.toContain(brand.light.accent)
  })

  it('can be stopped by one request of a mail program', () => {
    expect(mail.headers).toEqual({
      'List-Unsubscribe': `<${data.stopUrl}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    })
  })

  it('lists several invoices and the sums by currency, and 20 invoices at most', async () => {
    const many = Array.from({ length: 500 }, (_, index) => ({
      ...invoice,
      number: `AD-${1000 + index}`,
      currency: index % 2 === 0 ? 'usd' : 'eur',
    }))
    const { text, subject } = await renderReminderMail(firm, { ...data, receivables: many }, brand)
    expect(subject).toBe('500 invoices are 7 days late: $210,000.00 and €210,000.00')
    expect(text.match(/AD-1\d{3}, due/g)).toHaveLength(20)
    for (const fact of ['480 invoices more', 'Open: $210,000.00', 'Open: €210,000.00'])
      expect(text).toContain(fact)
  })

  it.each(tones)('of the tone %s holds before, on and after the due date', async (tone) => {
    const of = async (today: string) =>
      (
        await renderReminderMail(
          originalTemplates[tone].mail,
          { ...data, today: aDay(today) },
          brand,
        )
      ).text
    expect(await of('2026-11-10')).toContain('due in 3 days')
    expect(await of('2026-11-12')).toContain('due tomorrow')
    expect(await of('2026-11-13')).toContain('due today')
    expect(await of('2026-11-14')).toContain('1 day late')
  })

  it('shows HTML in a template as text, and keeps a text from right to left', async () => {
    const body = '<b>Pay</b> & "now"\n\nفاتورتك مستحقة\nاليوم'
    const { html, text } = await renderReminderMail({ subject: 'S', body }, data, brand)
    expect(html).toContain('&lt;b&gt;Pay&lt;/b&gt; &amp; &quot;now&quot;')
    expect(html).toContain('<p dir="auto" style="margin:0">فاتورتك مستحقة<br/>اليوم</p>')
    expect(text).toContain('<b>Pay</b> & "now"')
  })

  it('has no HTML of a template or a value, and no line break in a header', async () => {
    await fc.assert(
      fc.asyncProperty(anyText, anyText, anyData, async (subject, body, of) => {
        const rendered = await renderReminderMail({ subject, body }, of, brand)
        expect(rendered.html).not.toMatch(/<b>|<script/)
        for (const header of [
          rendered.subject,
          rendered.fromName,
          ...Object.values(rendered.headers),
        ])
          expect(header).not.toMatch(/[\r\n\0]/)
      }),
      { numRuns: 60 },
    )
  })

  it('of a company with line breaks and a colon breaks no header', async () => {
    const name = 'Alder: Dental\r\nBcc: all@evil.example\r\n\r\n<p>'
    const rendered = await renderReminderMail(
      firm,
      { ...data, sender: { ...data.sender, name } },
      brand,
    )
    const transport = createTransport({ streamTransport: true, buffer: true })
    const { message } = await transport.sendMail({
      from: { name: rendered.fromName, address: 'reminders@agilereceivables.example' },
      replyTo: { name: '', address: rendered.replyTo },
      to: 'g.whitaker@postbox.example',
      subject: rendered.subject,
      text: rendered.text,
      html: rendered.html,
      headers: { ...rendered.headers },
    })
    const read = await PostalMime.parse(message as Buffer)
    expect(read.bcc ?? []).toEqual([])
    expect(read.from).toEqual({
      name: 'Alder: Dental Bcc: all@evil.example <p>',
      address: 'reminders@agilereceivables.example',
    })
    expect(read.replyTo).toEqual([{ name: '', address: 'front@alderdental.example' }])
    expect(read.headers.find(({ key }) => key === 'list-unsubscribe-post')?.value).toBe(
      'List-Unsubscribe=One-Click',
    )
  })
})
