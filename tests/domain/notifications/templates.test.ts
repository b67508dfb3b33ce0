import { describe, expect, it } from '@jest/globals'
import { brand, type Brand } from '#contracts/brand/brand'
import { codeMail } from '#services/accounts/code-mail'
import type { Notification } from '#services/notifications/notification'
import { renderNotification } from '#services/notifications/render-notification'
import {
  sampleNotifications,
  samplePublicUrl,
} from '../../../scripts/mail-gallery/sample-notifications.ts'
import { preheaderOf, shownText } from './shown-text.ts'

const other: Brand = {
  ...brand,
  name: 'Northgate Ledger',
  address: ['1 Gate Road', 'Dover, DE 19901'],
  supportEmail: 'help@northgate.example',
  senderEmail: 'mail@northgate.example',
}
const context = { brand: other, publicUrl: samplePublicUrl }

/** A name of 300 characters with markup, quotes, a line break and one word without a space. */
const hostile = `<script>alert("1")</script>'\r\nBcc: x@example.com ${'W'.repeat(300)}`.slice(
  0,
  300,
)

/** What each mail must say beside the name, in HTML and in text. */
const factsOf: Readonly<Record<string, readonly string[]>> = {
  welcome: ['Northgate Ledger', '48 business hours', '/pricing'],
  'subscription-activated': [
    'Monthly Plan',
    '$39.00 / month',
    'Mar 3, 2026',
    'Apr 3, 2026',
    '48 business hours',
  ],
  receipt: [
    '$39.00',
    '8C1F33A2-0004',
    'Visa ending 4242',
    'Mar 3, 2026 to Apr 3, 2026',
    'Birchwood Dental Group',
    '$0.00',
    'attached',
    '/receipts/0198a3c2-7d40-7a11-8e02-51f7a0c3d991',
  ],
  'receipt-of-a-plan-change': [
    '$359.00',
    '−$21.40',
    '−$20.00',
    '$25.41',
    '$343.01',
    '−$15.00',
    '$328.01',
  ],
  'renewal-ahead': [
    'Annual Plan',
    '$359.00 / year',
    'Apr 17, 2026',
    'Visa ending 4242',
    '/api/portal/',
  ],
  'card-expiring': ['Visa ending 4242', 'end of April 2026', 'action=payment_method'],
  'payment-failed-day-0': [
    '$39.00',
    'We try again on Apr 9, 2026',
    'Apr 6, 2026',
    'action=payment_method',
  ],
  'payment-failed-day-3': [
    '$39.00',
    'still open',
    'Apr 9, 2026',
    'Apr 8, 2026',
    'action=payment_method',
  ],
  'payment-failed-day-5': [
    '$39.00',
    'your Monthly Plan ends',
    'Apr 9, 2026',
    'Apr 10, 2026',
    'action=payment_method',
  ],
  'payment-failed-day-7': [
    '$39.00',
    'last reminder',
    'No further attempt is planned',
    'action=payment_method',
  ],
  'payment-recovered': ['$39.00', 'Apr 8, 2026', 'continues', '/purchases'],
  'cancellation-scheduled': ['Monthly Plan', 'Mar 14, 2026', 'Apr 3, 2026'],
  'cancellation-withdrawn': ['Monthly Plan continues', 'Apr 3, 2026'],
  'subscription-ended-canceled': ['Monthly Plan', 'as you requested', 'Apr 3, 2026'],
  'subscription-ended-unpaid': ['its last payment failed'],
  'subscription-ended-expired': ['its first payment was not made'],
  'subscription-ended-blocked': ['your account is blocked'],
  'plan-changed-charge': [
    'Monthly Plan',
    'Annual Plan',
    '$322.45 more',
    '$359.00 / year',
    'Mar 17, 2027',
  ],
  'plan-changed-credit': ['credit of $182.10', '$39.00 / month'],
  'plan-changed-no-proration': ['Six-Month Plan', '$199.00 / 6 months'],
  'refund-full': [
    '$39.00',
    'in full',
    'Visa ending 4242',
    'Mar 20, 2026',
    '/receipts/0198a3c2-9f10-7d3a-8a4f-0c1d2e3f4a5b',
  ],
  'refund-partial': ['$12.50 of your payment of $39.00', 'Partial'],
  'refund-proration': ['$182.10', 'unused time of the Monthly Plan'],
  'refund-full-pending': ['$39.00', 'on its way'],
  'account-blocked': ['Please contact support', 'help@northgate.example'],
  'account-unblocked': ['subscribe again', '/pricing'],
  'secondary-email-added-to-primary': ['accounts@birchwood.example', 'Mar 3, 2026, 9:12 AM UTC'],
  'secondary-email-added-to-secondary': ['This address was added', 'Mar 3, 2026, 9:12 AM UTC'],
  'secondary-email-removed-to-primary': ['accounts@birchwood.example was removed'],
  'secondary-email-removed-to-secondary': ['This address was removed'],
  'account-deleted': ['personal data was erased', 'Mar 21, 2026'],
  'enquiry-received': ['1-2 business days'],
  'new-enquiry': [
    'Marcus Oyelaran',
    'marcus@northgate.example',
    '(302) 555-0148',
    'a third of them are paid late.',
    'Fewer than 10 % late invoices',
    'tab=enquiries',
  ],
}

const mails = await Promise.all(
  sampleNotifications.map(async ({ id, message }) => ({
    id,
    message,
    ...(await renderNotification(message, context)),
  })),
)

it('every sample has its facts in this test', () => {
  expect(Object.keys(factsOf).sort()).toEqual(mails.map(({ id }) => id).sort())
})

describe.each(mails)('the mail $id', ({ id, message, subject, html, text }) => {
  it('states its facts in the HTML and in the text', () => {
    const shown = shownText(html)
    const links = html.replaceAll('&amp;', '&')
    for (const fact of factsOf[id] ?? []) {
      expect(fact.includes('/') || fact.includes('=') ? links + shown : shown).toContain(fact)
      expect(text).toContain(fact)
    }
  })

  it('has a subject of one line, and a preheader that does not repeat it', () => {
    expect(subject).toMatch(/^[^\r\n]{8,90}$/)
    expect(preheaderOf(html).length).toBeGreaterThan(20)
    expect(preheaderOf(html)).not.toBe(subject)
  })

  it('names no other brand', () => {
    expect(subject + html + text).not.toMatch(/Agile|support@example\.com|no-reply@example\.com/)
    expect(text).toContain('help@northgate.example')
    expect(text).toContain('Northgate Ledger, 1 Gate Road, Dover, DE 19901')
  })

  it('has only HTML that Outlook and Gmail lay out', () => {
    const body = html.slice(html.indexOf('<body'))
    expect(html).not.toMatch(/flex|grid|var\(|position:|float:|<(script|link|img|form)\b/)
    expect(body.match(/<table\b/g)).toHaveLength(
      body.match(/<table role="presentation"/g)?.length ?? 0,
    )
    expect(html).toMatch(/^<!DOCTYPE html [^>]*><html lang="en"/)
    // Gmail cuts a mail at 102 kB, and ignores a style element above 8,192 characters.
    expect(Buffer.byteLength(html)).toBeLessThan(102_000)
    for (const [, style = ''] of html.matchAll(/<style>([^<]*)<\/style>/g))
      expect(style.length).toBeLessThan(8_192)
    for (const [, size] of html.matchAll(/font-size:(\d+)px/g))
      expect(Number(size) === 1 || Number(size) >= 14).toBe(true)
  })

  it('links only to absolute addresses of the product and to the support', () => {
    const targets = [...html.matchAll(/href="([^"]*)"/g)].map(([, target]) => target ?? '')
    expect(targets).toContain('mailto:help@northgate.example')
    for (const target of targets)
      expect(target).toMatch(/^(mailto:help@northgate\.example$|http:\/\/localhost:3000\/)/)
  })

  it('shows hostile texts as texts', async () => {
    const mail = await renderNotification(withHostileTexts(message), context)
    const tagsOf = (source: string) =>
      [...new Set([...source.matchAll(/<[a-z]+/g)].map(([tag]) => tag))].sort()
    // The line break of a person's own words is the only tag that a text adds.
    expect(tagsOf(mail.html).filter((tag) => tag !== '<br')).toEqual(
      tagsOf(html).filter((tag) => tag !== '<br'),
    )
    expect(mail.html).not.toMatch(/<script|"1"\)/)
    expect(mail.subject).not.toMatch(/[\r\n]/)
    expect(mail.subject.length).toBeLessThanOrEqual(150)
    for (const value of Object.values(mail.headers)) expect(value).not.toMatch(/[\r\n]/)
  })
})

describe('the headers', () => {
  const withHeader = (name: string) =>
    mails.flatMap(({ id, headers }) => (headers[name] === undefined ? [] : [[id, headers[name]]]))

  it('offer to unsubscribe only from the mail that is about no money and no access', () => {
    expect(withHeader('List-Unsubscribe')).toEqual([
      ['welcome', '<mailto:help@northgate.example?subject=Unsubscribe>'],
    ])
  })

  it('send the reply to an enquiry to the visitor', () => {
    expect(withHeader('Reply-To')).toEqual([['new-enquiry', 'marcus@northgate.example']])
  })
})

it('a mail without a name greets no one', async () => {
  for (const { message } of sampleNotifications.filter((sample) => 'name' in sample.message)) {
    const { text } = await renderNotification({ ...message, name: null } as Notification, context)
    expect(text).not.toMatch(/Hello|null/)
  }
})

it('the code mail fits the same limits', async () => {
  const { html, text } = await codeMail('dana@example.com', '407192', other)
  expect(html).not.toMatch(/flex|grid|var\(/)
  expect(text).toContain('help@northgate.example')
})

/** The notification with the hostile name in each text that a person or the provider types. */
function withHostileTexts(message: Notification): Notification {
  const typed = new Set([
    'name',
    'planName',
    'formerPlanName',
    'secondary',
    'firstName',
    'lastName',
    'phoneNumber',
    'message',
    'goals',
    'description',
    'invoice_number',
  ])
  return JSON.parse(JSON.stringify(message), (key, value: unknown) =>
    typed.has(key) && typeof value === 'string' ? hostile : value,
  ) as Notification
}
