import { describe, expect, it } from '@jest/globals'
import { brand } from '#contracts/brand/brand'
import type { Notification } from '#services/notifications/notification'
import { renderNotification } from '#services/notifications/render-notification'
import { samplePublicUrl, visa } from '../../../scripts/mail-gallery/sample-data.ts'
import { sampleNotifications } from '../../../scripts/mail-gallery/sample-notifications.ts'
import { paid } from '../../../scripts/mail-gallery/sample-receipts.ts'

/* What a mail says about the time after it: the end of the plan, the next reminder. */

const rendered = (message: Notification) =>
  renderNotification(message, { brand, publicUrl: samplePublicUrl })

const mails = await Promise.all(
  sampleNotifications.map(async ({ id, message }) => ({
    id,
    message,
    ...(await rendered(message)),
  })),
)

it('no mail about a plan that ends or has ended says that the plan continues', () => {
  const ending = mails.filter(({ id }) => /-end(ing|ed)/.test(id))
  expect(ending).toHaveLength(12)
  for (const { text, html, subject } of ending)
    expect(subject + text + html).not.toMatch(
      /keep your plan|continues|at risk|next (billing|payments)|need not/i,
    )
})

it.each([
  ['2026-03-03T09:11:59.999Z', false],
  ['2026-03-03T09:12:00.000Z', true],
])('a receipt shows no time that runs back: the plan ended at %s', async (at, isShown) => {
  const end = { at, isPast: true }
  const paidBy = [{ kind: 'method', method: visa }] as const
  const message = { kind: 'receipt', name: null, receipt: paid, paidBy, end } as const
  const { text } = await rendered(message)
  expect(text).toContain('Your plan ended on Mar 3, 2026.')
  expect(/Paid: Mar 3, 2026/.test(text)).toBe(isShown)
})

describe('the next reminder', () => {
  const announcing = mails.filter(({ text }) => /next reminder/i.test(text)).map(({ id }) => id)

  it('is announced only by mails that ask for something', () => {
    expect(announcing).toEqual([
      'payment-failed-day-0',
      'payment-failed-day-3',
      'payment-failed-day-5',
      'payment-failed-day-5-ending',
    ])
  })

  it.each([
    ['2026-04-10T09:59:59.000Z', false],
    ['2026-04-10T10:00:00.001Z', true],
  ])('is announced if it comes before the scheduled end of the plan: %s', async (endsAt, is) => {
    const { message } = mails.find(({ id }) => id === 'payment-failed-day-5-ending')!
    const ending = { ...message, endsAt } as Notification
    const { text } = await rendered(ending)
    expect(text.includes('Next reminder')).toBe(is)
  })
})
