import { describe, expect, it } from '@jest/globals'
import { createTransport } from 'nodemailer'
import PostalMime from 'postal-mime'
import { brand, type Brand } from '#contracts/brand/brand'
import { codeMail } from '#services/accounts/code-mail'
import type { Notification } from '#services/notifications/notification'
import { renderNotification } from '#services/notifications/render-notification'
import { samplePublicUrl } from '../../../scripts/mail-gallery/sample-data.ts'
import { sampleNotifications } from '../../../scripts/mail-gallery/sample-notifications.ts'
import { upgraded } from '../../../scripts/mail-gallery/sample-receipts.ts'
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
const contentOf: Readonly<Record<string, readonly string[]>> = {
  welcome: [
    'Northgate Ledger',
    '48 business hours',
    'Monday to Friday, 9 AM to 5 PM',
    'set up your receivables in five steps',
    '/pricing',
    '/receivables',
  ],
  'subscription-activated': [
    'Monthly Plan',
    '$39.00 / month',
    'Mar 3, 2026',
    'Apr 3, 2026',
    '48 business hours',
    'Tuesday, March 10, 2026, 5:00 PM Eastern time',
    'A list of your open invoices',
    'You can begin now, in five steps.',
    'Turn reminders on',
    'Set up your receivables',
    '/receivables',
    'Manage your plan',
  ],
  'subscription-activated-ending': ['Plan ends', 'Apr 3, 2026'],
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
  'receipt-of-a-payment-outside': ['received your payment of $39.00.', 'Payment directly to us'],
  'receipt-of-a-credit': [
    'credit balance paid $39.00, and we charged nothing.',
    'Credit balance used',
    '$0.00',
  ],
  'receipt-of-an-ending-plan': ['Your plan ends on Apr 3, 2026.'],
  'receipt-of-an-ended-plan': ['Your plan ended on Mar 20, 2026.'],
  'receipt-of-a-plan-change': [
    '$359.00',
    '−$21.39',
    '−$20.00',
    '$25.41',
    '$343.02',
    '−$15.00',
    '$328.02',
  ],
  'renewal-ahead': [
    'Annual Plan',
    '$359.00 / year',
    'Apr 17, 2026',
    'Visa ending 4242',
    '/api/portal/',
  ],
  'renewal-ahead-ending': [
    'up to $359.00',
    'Your cancellation stays scheduled: the plan ends on Sep 1, 2026.',
  ],
  'card-expiring': [
    'Visa ending 4242 expires at the end of',
    'April 2026',
    '/update-card?card=expires',
  ],
  'payment-method-changed': [
    'Mastercard ending 4444, expires',
    'Visa ending 4242, expires',
    'Otherwise check your payment method now',
    '/update-card?card=expires',
  ],
  'payment-method-removed': ['Visa ending 4242', 'fails without one'],
  'payment-failed-day-0': [
    '$39.00',
    'The card has expired.',
    'We try again on Apr 9, 2026',
    'Apr 6, 2026',
    'Pay $39.00 now',
    '/pay',
    '/update-card',
  ],
  'payment-failed-day-3': ['$39.00', 'still unpaid', 'Apr 9, 2026', 'Apr 8, 2026', '/update-card'],
  'payment-failed-day-5': [
    '$39.00',
    'your Monthly Plan ends',
    'Apr 9, 2026',
    'Apr 10, 2026',
    '/update-card',
  ],
  'payment-failed-day-7': [
    '$39.00',
    'last reminder',
    'No further attempt is planned',
    'A new card alone is not charged.',
    '/pay',
    '/update-card',
  ],
  'payment-failed-day-3-new-card': [
    'We try again on Apr 8, 2026 with Visa ending 4242.',
    'You need not do anything.',
    '/api/portal/',
  ],
  'payment-failed-day-7-new-card': [
    'You entered Visa ending 4242, but no further attempt is planned.',
    'Pay it now with this card or another one.',
    '/pay',
  ],
  'payment-recovered': ['$39.00', 'Apr 8, 2026', 'continues', '/purchases'],
  'payment-failed-day-5-ending': [
    'Your cancellation is scheduled for May 3, 2026. Without this payment, your Monthly Plan can end before.',
    'Pay it now, or enter another card: the next attempt charges it. Your cancellation stays scheduled.',
  ],
  'payment-failed-day-7-ending': ['last reminder', 'Your cancellation stays scheduled.'],
  'payment-recovered-outside': ['received your payment of the unpaid invoice.', '$39.00'],
  'payment-recovered-by-credit': [
    'credit balance paid the invoice whose payment had failed.',
    '$0.00',
  ],
  'payment-recovered-without-payment': [
    'is settled, and nothing is left to pay.',
    'Settled on Apr 8, 2026',
    '$0.00',
  ],
  'payment-recovered-ending': [
    'Your cancellation stays scheduled: your Monthly Plan ends on May 3, 2026.',
  ],
  'payment-recovered-ended': ['Your Monthly Plan ended on Apr 12, 2026.'],
  'cancellation-scheduled': [
    'Mar 14, 2026',
    'You can use the Monthly Plan until Apr 3, 2026. We charge nothing more for it.',
    '/purchases?keep=',
  ],
  'cancellation-scheduled-later': [
    'You can use the Monthly Plan until Jun 20, 2026. Until then it renews: we charge again on Apr 3, 2026.',
    'Next billing',
  ],
  'cancellation-scheduled-unpaid': [
    'Apart from the payment that failed, we charge nothing more for it.',
  ],
  'plan-change-scheduled': [
    'changes from Annual Plan to Monthly Plan on Apr 3, 2026',
    'it costs $39.00 / month, before tax and discounts',
    'Until then you keep the Annual Plan, and nothing is charged for the change.',
    '/api/portal/',
  ],
  'plan-change-dropped': [
    'the planned change to the Monthly Plan was dropped.',
    'Your Annual Plan continues.',
    'Apr 3, 2026',
  ],
  'cancellation-withdrawn': ['Monthly Plan continues', 'Apr 3, 2026'],
  'subscription-ended-canceled': ['Monthly Plan', 'as you requested', 'Apr 3, 2026'],
  'subscription-ended-at-once': ['Monthly Plan ended on Apr 3, 2026.'],
  'subscription-ended-unpaid': ['its last payment failed'],
  'plan-changed-upgrade': [
    'from Monthly Plan to Annual Plan',
    'reduces the first payment of $359.00 to $337.61, before tax and discounts',
    '$359.00 / year',
    'Mar 17, 2027',
  ],
  'plan-changed-credit': [
    'credit of $182.10',
    'The remaining credit of $143.10 reduces your next payments.',
    '$39.00 / month',
    'Apr 17, 2026',
  ],
  'plan-changed-ending': ['You have a credit of $21.39 for the unused time.', 'Plan ends'],
  'plan-changed-lower-price': ['You have a credit of $21.39', 'It reduces your next payments.'],
  'plan-changed-no-proration': ['Six-Month Plan', '$199.00 / 6 months', 'Sep 17, 2026'],
  'plan-changed-charge': ['Monthly Plan now costs $78.00 / month', '$21.39 more', 'Apr 3, 2026'],
  'refund-full': [
    '$39.00',
    'in full',
    'Visa ending 4242',
    'Mar 20, 2026',
    '/receipts/0198a3c2-9f10-7d3a-8a4f-0c1d2e3f4a5b',
  ],
  'refund-partial': [
    '$12.50 of your payment of $39.00',
    'Partial',
    'Product unsatisfactory',
    'For the days on which the reminders did not go out.',
  ],
  'refund-proration': ['$182.10 of your payment of $359.00 for the Annual Plan', 'Proration'],
  'refund-full-pending': ['we are refunding your payment of $39.00'],
  'refund-arrived': ['refund of $12.50 went through', '5 to 10 business days', 'Mar 23, 2026'],
  'refund-failed': [
    'your bank did not accept it',
    '$12.50',
    'Write to our support',
    '/receipts/0198a3c2-9f10-7d3a-8a4f-0c1d2e3f4a5b',
  ],
  'refund-canceled': ['refund of $12.50 was canceled', 'Write to our support'],
  'account-blocked': ['Please contact support', 'help@northgate.example'],
  'account-unblocked': ['To subscribe again, choose a plan', 'See the plans', '/pricing'],
  'account-unblocked-without-plan': [
    'Your earlier plan ended when the account was blocked.',
    'To subscribe again, choose a plan',
  ],
  'secondary-email-added-to-primary': ['accounts@birchwood.example', 'Mar 3, 2026, 9:12 AM UTC'],
  'secondary-email-added-to-secondary': ['This address was added', 'Mar 3, 2026, 9:12 AM UTC'],
  'secondary-email-removed-to-primary': ['accounts@birchwood.example was removed'],
  'secondary-email-removed-to-secondary': ['This address was removed'],
  'ways-to-pay-account-connected': [
    'an account for card payments of your clients now',
    'Mar 3, 2026, 9:12 AM UTC',
    '/receivables/payments',
  ],
  'ways-to-pay-account-disconnected': ['can no longer pay to it'],
  'ways-to-pay-link-changed': ['pay.birchwood.example', 'your clients can pay another person'],
  'ways-to-pay-link-removed': ['link to your own payment page was removed.'],
  'ways-to-pay-instructions-changed': ['can name another bank account'],
  'ways-to-pay-instructions-removed': ['written instructions were removed.'],
  'administrator-added': [
    'you are an administrator of Northgate Ledger with the role Support.',
    'a code that we mail to it',
    '/admin/dashboard',
  ],
  'administrator-role': ['from Support to Finance', 'Ada Lind', 'counts at once'],
  'administrator-passkey-added': [
    "the passkey 'Work laptop' was added",
    'without a mailed code',
    'Mar 3, 2026, 9:12 AM UTC',
  ],
  'administrator-passkey-removed': ["the passkey 'Work laptop' was removed", 'Ada Lind'],
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
  expect(Object.keys(contentOf).sort()).toEqual(mails.map(({ id }) => id).sort())
})

describe.each(mails)('the mail $id', ({ id, message, subject, html, text }) => {
  it('states its facts in the HTML and in the text', () => {
    const shown = shownText(html)
    const links = html.replaceAll('&amp;', '&')
    for (const part of contentOf[id] ?? []) {
      expect(part.includes('/') || part.includes('=') ? links + shown : shown).toContain(part)
      expect(text).toContain(part)
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
    // Each ground is an attribute, too, and Outlook has a table of 600 px around the mail.
    expect(html.match(/ bgcolor="#/g)).toHaveLength(
      body.match(/<t[^>]*background-color:/g)?.length ?? 0,
    )
    expect(html).toMatch(
      /<!--\[if mso\]><table role="presentation" width="600"[^]*<!--\[if mso\]><\/td>/,
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

it('a greeting shows the beginning of a long name, and keeps the sentence after it', async () => {
  const name = `Dana ${'Whitfield'.repeat(40)}`.slice(0, 300)
  for (const { id, message } of sampleNotifications.filter(({ message }) => 'name' in message)) {
    const { text } = await renderNotification({ ...message, name } as Notification, context)
    const [, greeted = ''] = /Hello (.*?), (?:your|you|the|this|we|payments) /.exec(text) ?? []
    expect([id, greeted]).toEqual([id, `${name.slice(0, 59)}…`])
  }
})

it('a receipt repeats no quantity that the provider has written into the line', async () => {
  const [line] = upgraded.lines
  const linesOf = async (description: string) => {
    const lines = [{ ...line, description, quantity: 3 }]
    const receipt = { ...upgraded, lines } as typeof upgraded
    const message = { kind: 'receipt', name: null, receipt, paidBy: [], end: null } as const
    return (await renderNotification(message, context)).text
  }
  expect(await linesOf('3 × Annual Plan (at $359.00 / year)')).toContain('/ year): $359.00')
  expect(await linesOf('Remaining time on 3 × Annual Plan after 17 Mar 2026')).toContain(
    'after 17 Mar 2026: $359.00',
  )
  expect(await linesOf('13 × Annual Plan')).toContain('13 × Annual Plan × 3: $359.00')
})

it('a subject has no encoded word of a visitor', async () => {
  const sample = sampleNotifications.find(({ id }) => id === 'new-enquiry')?.message
  if (sample?.kind !== 'new-enquiry') throw new Error('The sample is missing.')
  const enquiry = { ...sample.enquiry, firstName: '=?utf-8?Q?Invoice?=', lastName: 'Lee' }
  const { subject } = await renderNotification({ ...sample, enquiry }, context)
  const raw = await createTransport({ streamTransport: true, buffer: true }).sendMail({ subject })
  if (!Buffer.isBuffer(raw.message)) throw new Error('The mail is not in a buffer.')
  const { subject: shown } = await PostalMime.parse(raw.message)
  expect(shown?.replaceAll('\u2060', '')).toBe('New enquiry from =?utf-8?Q?Invoice?= Lee')
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
