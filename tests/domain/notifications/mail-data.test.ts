import { describe, expect, it } from '@jest/globals'
import { planEnquiryMails } from '#services/notifications/plan-enquiry-mails'
import { refOf } from '#services/payments/stripe/from-stripe/references'
import { recorded } from '../../support/data/events.ts'
import { samplePayloads } from '../../support/data/sample-payloads.ts'
import {
  customer,
  dana,
  ended,
  inShort,
  links,
  on,
  open,
  plan,
  unverified,
  type Given,
  type MailedEvent,
} from './planned-mails.ts'

const remind = on('DunningReminderDue')
const late = [...customer, on('PaymentFailed')]
const paidLate = [...late, on('PaymentSucceeded', { invoiceRef: refOf('in_2') })]

describe('a mail', () => {
  /** The data of the only mail. */
  function dataOf(event: MailedEvent, given: Given) {
    const [mail, ...others] = plan(event, given)
    expect(others).toEqual([])
    return mail !== undefined && 'notification' in mail ? mail.notification : null
  }

  it('about an unpaid renewal has the latest attempt, and the link without an id', () => {
    const second = on('PaymentFailed', { attempt: 2, nextAttemptAt: null, method: null })
    expect(dataOf(remind, { before: late })).toMatchObject({
      day: 3,
      nextAttemptAt: samplePayloads.PaymentFailed.nextAttemptAt,
      method: samplePayloads.PaymentFailed.method,
      portalUrl: 'https://billing.example/update-card',
    })
    expect(dataOf(remind, { before: late, after: [second] })).toMatchObject({
      nextAttemptAt: null,
      method: null,
    })
    expect(
      dataOf(on('CardReminderDue'), { before: [...customer, on('PaymentMethodChanged')] }),
    ).toMatchObject({
      portalUrl: 'https://billing.example/update-card?card=expires',
    })
  })

  it('about an unpaid renewal names the new card until it fails, and then asks for another one', () => {
    const visa = { ...samplePayloads.CardReminderDue.method, last4: '1881' }
    const replaced = on('PaymentMethodChanged', { method: visa })
    expect(dataOf(remind, { before: late, after: [replaced] })).toMatchObject({
      newMethod: visa,
      portalUrl: expect.stringContaining('/api/portal/'),
    })
    const asksForCard = { newMethod: null, portalUrl: 'https://billing.example/update-card' }
    const refused = on('PaymentFailed', { attempt: 2, method: visa })
    for (const after of [
      [replaced, refused],
      [replaced, on('PaymentMethodChanged', { method: null })],
      [on('PaymentMethodChanged', { method: samplePayloads.PaymentFailed.method })],
    ])
      expect(dataOf(remind, { before: late, after })).toMatchObject(asksForCard)
    expect(dataOf(remind, { before: [...customer, replaced, on('PaymentFailed')] })).toMatchObject(
      asksForCard,
    )
  })

  const canceled = on('CancellationScheduled')
  const { effectiveAt } = canceled.data
  const withdrawn = [...late, canceled, on('CancellationWithdrawn')]

  it('about an unpaid renewal has the end of the plan while a cancellation is scheduled', () => {
    expect(dataOf(remind, { before: [...late, canceled] })).toMatchObject({ endsAt: effectiveAt })
    expect(dataOf(remind, { before: withdrawn })).toMatchObject({ endsAt: null })
  })

  it.each([on('DunningEnded', { why: 'recovered' }), on('PaymentSucceeded')])(
    'about a payment ($type) has the scheduled end or the past end of the plan',
    (event) => {
      const before = [...paidLate, canceled]
      expect(dataOf(event, { before })).toMatchObject({ end: { at: effectiveAt, isPast: false } })
      expect(dataOf(event, { before: [...before, on('CancellationWithdrawn')] })).toMatchObject({
        end: null,
      })
      expect(dataOf(event, { before, after: [ended] })).toMatchObject({
        end: { at: ended.data.endedAt, isPast: true },
      })
    },
  )

  it.each([on('SubscriptionStarted'), on('PlanChanged')])(
    'about a plan ($type) has its scheduled end',
    (event) => {
      const before = event.type === 'PlanChanged' ? customer : open
      expect(dataOf(event, { before, after: [canceled] })).toMatchObject({ endsAt: effectiveAt })
      expect(dataOf(event, { before })).toMatchObject({ endsAt: null })
    },
  )

  it('about a cancellation has the renewal that precedes the end', () => {
    const started = on('SubscriptionStarted')
    const { currentPeriodEnd: renewsAt } = started.data
    const ending = (endsAt: string) => on('CancellationScheduled', { effectiveAt: endsAt })
    const later = '2027-12-01T00:00:00.000Z'
    const renewal = (endsAt: string, before: Given['before'] = customer) =>
      dataOf(ending(endsAt), { before })
    expect(renewal(renewsAt)).toMatchObject({ renewsAt: null })
    expect(renewal('2026-03-20T00:00:00.000Z')).toMatchObject({ renewsAt: null })
    expect(renewal(later)).toMatchObject({ endsAt: later, renewsAt })
    expect(renewal(later, [...customer, on('SubscriptionPaused')])).toMatchObject({
      renewsAt: null,
    })
  })

  it('about a renewal has the scheduled end of the plan after it', () => {
    const reminder = on('RenewalReminderDue')
    const { renewsAt } = reminder.data
    const yearly = [...open, on('SubscriptionStarted', { currentPeriodEnd: renewsAt })]
    const endsAt = '2028-01-01T00:00:00.000Z'
    const sentAt = '2026-03-20T00:00:00.000Z'
    expect(dataOf(reminder, { before: yearly, sentAt })).toMatchObject({ renewsAt, endsAt: null })
    expect(
      dataOf(reminder, {
        before: [...yearly, on('CancellationScheduled', { effectiveAt: endsAt })],
        sentAt,
      }),
    ).toMatchObject({ renewsAt, endsAt })
  })

  it('about an unpaid renewal names the present plan', () => {
    const planName = 'Annual Plan'
    const changed = on('PlanChanged', { to: { ...samplePayloads.PlanChanged.to, planName } })
    expect(dataOf(remind, { before: [...late, changed] })).toMatchObject({ planName })
    const recovered = on('DunningEnded', { why: 'recovered' })
    expect(dataOf(recovered, { before: [...paidLate, changed] })).toMatchObject({ planName })
  })

  it.each([
    ['a card', samplePayloads.PaymentSucceeded.paidBy],
    ['a payment outside the provider', [{ kind: 'outside' as const, amount: 2900 }]],
    ['nothing, because a credit note covers it', []],
  ])('about a recovered invoice has the money that %s paid', (_how, paidBy) => {
    const amounts = { ...samplePayloads.PaymentSucceeded.amounts, paid: 2900 }
    const paid = on('PaymentSucceeded', { invoiceRef: refOf('in_2'), amounts, paidBy: [...paidBy] })
    const recovered = on('DunningEnded', { why: 'recovered' })
    expect(dataOf(recovered, { before: [...late, paid] })).toMatchObject({
      paid: { amount: 2900, currency: 'usd' },
      paidBy,
    })
  })

  it('about a recovered invoice needs its payment', () => {
    const recovered = on('DunningEnded', { why: 'recovered' })
    expect(() => dataOf(recovered, { before: late })).toThrow('the log does not have')
  })

  it('about a change of plan says whether it begins a period', () => {
    const { from } = samplePayloads.PlanChanged
    const before = customer
    expect(
      dataOf(on('PlanChanged', { from, to: { ...from, quantity: 2 } }), { before }),
    ).toMatchObject({
      beginsPeriod: false,
    })
    for (const other of [{ interval: 'year' }, { intervalCount: 6 }] as const)
      expect(
        dataOf(on('PlanChanged', { from, to: { ...from, ...other } }), { before }),
      ).toMatchObject({
        beginsPeriod: true,
      })
  })

  it('about an end says whether a cancellation was scheduled', () => {
    const canceled = on('CancellationScheduled')
    const withdrawn = on('CancellationWithdrawn')
    for (const [before, wasScheduled] of [
      [[], false],
      [[canceled], true],
      [[canceled, withdrawn], false],
    ] as const)
      expect(dataOf(on('SubscriptionEnded'), { before: [...customer, ...before] })).toMatchObject({
        wasScheduled,
      })
  })

  it('about the end of a block says whether the block ended a plan', () => {
    const blocked = [...customer, on('AccountBlocked')]
    for (const [before, hasEndedPlan] of [
      [blocked, false],
      [[...blocked, on('SubscriptionEnded', { why: 'canceled' })], false],
      [[...blocked, on('SubscriptionEnded', { why: 'blocked' })], true],
    ] as const)
      expect(dataOf(on('AccountUnblocked'), { before })).toMatchObject({ hasEndedPlan })
  })

  it('about a refund says whether the money is on its way', () => {
    for (const [status, isPending] of [
      ['pending', true],
      ['succeeded', false],
    ] as const)
      expect(dataOf(on('RefundRecorded', { status }), { before: customer })).toMatchObject({
        isPending,
      })
    expect(
      dataOf(on('RefundStatusChanged', { to: 'canceled' }), {
        before: [...customer, on('RefundRecorded')],
      }),
    ).toMatchObject({ isCanceled: true, amount: samplePayloads.RefundStatusChanged.amount })
  })

  it('about a price has the price of all units', () => {
    expect(dataOf(on('SubscriptionStarted', { quantity: 3 }), { before: open })).toMatchObject({
      price: { amount: { amount: 11_700, currency: 'usd' } },
    })
  })

  it('greets without a name if the account has no profile', () => {
    expect(dataOf(on('EmailVerified'), { before: [on('AccountOpened')] })).toMatchObject({
      name: null,
    })
    expect(dataOf(on('EmailVerified'), { before: unverified })).toMatchObject({
      name: 'Dana Whitlock',
    })
  })
})

describe('the mails about an enquiry', () => {
  const event = recorded('enquiry-enquiry_1', on('EnquirySubmitted'))
  const planned = (isErased: boolean) =>
    planEnquiryMails(event, isErased, links, { supportEmail: 'support@example.com' })

  it('go to the visitor, without a word of the form, and to the support', () => {
    const mails = planned(false)
    expect(mails.map(inShort)).toEqual([
      `enquiry-received to ${dana}`,
      'new-enquiry to support@example.com',
    ])
    expect(mails[0]).toMatchObject({ notification: { kind: 'enquiry-received' } })
    expect(JSON.stringify(mails[0])).not.toContain('Whitlock')
  })

  it('are not sent after its erasure', () => {
    expect(planned(true).map(inShort)).toEqual([
      'enquiry-received not sent: erased',
      'new-enquiry not sent: the enquiry was erased',
    ])
  })
})
