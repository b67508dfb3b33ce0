import { expect, it } from '@jest/globals'
import { brand } from '#contracts/brand/brand'
import { dunningDays } from '#contracts/dunning'
import { initialBillingState } from '#services/billing/billing-state'
import { foldAccount } from '#services/notifications/known'
import { linksAt } from '#services/notifications/links'
import { planReminderMails } from '#services/notifications/plan-reminder-mails'
import { renderNotification } from '#services/notifications/render-notification'
import { failedInvoices } from '#services/notifications/dunning/unpaid-invoices'
import { refOf } from '#services/payments/stripe/from-stripe/references'
import {
  accountOpened,
  emailVerified,
  paymentFailed,
  paymentSucceeded,
  recorded,
  subscriptionStarted,
} from '../../support/data/events.ts'
import { samplePayloads } from '../../support/data/sample-payloads.ts'

const publicUrl = 'https://billing.example'
const account = foldAccount([
  accountOpened('usr_1', 'dana@birchwood.example'),
  emailVerified('usr_1', 'dana@birchwood.example'),
])
const known = {
  account,
  accountBefore: account,
  billing: initialBillingState,
  billingBefore: initialBillingState,
  failedInvoices: [],
  receipt: null,
  farewell: null,
  at: samplePayloads.DunningReminderDue.startedAt,
}
const paid = failedInvoices([
  subscriptionStarted('usr_1'),
  paymentFailed('usr_1', { invoiceRef: refOf('in_2') }),
  paymentSucceeded('usr_1', { invoiceRef: refOf('in_2') }),
])

it('the mails of an invoice without a plan name speak of the subscription', async () => {
  const due = { ...samplePayloads.DunningReminderDue, planName: null }
  const ended = { ...samplePayloads.DunningEnded, planName: null }
  const mails = [
    ...dunningDays.map((day) => ({ type: 'DunningReminderDue', data: { ...due, day } }) as const),
    { type: 'DunningEnded', data: ended } as const,
  ].flatMap((event) =>
    planReminderMails(
      recorded('dunning-usr_1', event),
      event.type === 'DunningEnded' ? { ...known, failedInvoices: paid } : known,
      linksAt(publicUrl),
    ),
  )
  expect(mails).toHaveLength(dunningDays.length + 1)
  for (const mail of mails) {
    if ('unsent' in mail) throw new Error(mail.reason)
    const { subject, text } = await renderNotification(mail.notification, { brand, publicUrl })
    expect(text).toMatch(/(your|the) subscription/i)
    expect(text).toContain('Plan: Subscription')
    expect(subject + text).not.toMatch(/(the|your) (the|your)/i)
  }
})
