import { describe, expect, it } from '@jest/globals'
import { brand } from '#contracts/brand/brand'
import { renderThanksMail } from '#services/receivables/messages/render-thanks-mail'
import { aDay, facts } from '../../../support/receivables/message-facts.ts'
import { shownText } from '../../notifications/shown-text.ts'

const { sender, clientName, portalUrl, stopUrl } = facts
const paid = { number: 'AD-1187', currency: 'usd', paid: 84_000, paidOn: aDay('2026-11-21') }

describe('the thanks for a payment', () => {
  it('say who got how much for what, and how to stop, in HTML and in text', async () => {
    const mail = await renderThanksMail({ sender, clientName, portalUrl, stopUrl, ...paid }, brand)
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
    expect(mail.text).toContain(portalUrl)
    expect(mail.headers['List-Unsubscribe']).toBe(`<${stopUrl}>`)
    expect(mail.replyTo).toBe('front@alderdental.example')
  })

  it('keep a name with line breaks and a colon out of the headers', async () => {
    const name = 'Alder\r\nBcc: x@evil.example'
    const mail = await renderThanksMail(
      { sender: { ...sender, name }, clientName, portalUrl, stopUrl, ...paid, number: 'A\r\nB: 1' },
      brand,
    )
    expect(mail.fromName).not.toMatch(/[\r\n]/)
    expect(mail.subject).not.toMatch(/[\r\n]/)
  })
})
