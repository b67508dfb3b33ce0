import { describe, expect, it } from '@jest/globals'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { PaymentsResponse, Subscription, UnpaidInvoice } from '#contracts/purchases'
import { answerKnownCustomer, email, session } from './support/auth-answers.ts'
import { refusal, startApiServer, unreachable } from './support/api-server.ts'
import { left, openPage, preload } from './support/open-page.tsx'
import {
  aChange,
  aPayment,
  aPaymentsResponse,
  aSubscription,
  aTransaction,
  anUnpaidInvoice,
  planOptions,
  today,
} from './support/purchases-data.ts'

preload(
  () => import('../../web/app/purchases-route.tsx'),
  () => import('../../web/features/auth/login-dialog.tsx'),
)

const server = startApiServer()

/**
 * Opens the page of a signed-in customer with these purchases. `changeAnswers` replaces answers
 * before the page opens.
 */
function openPurchases(
  purchases: PaymentsResponse = aPaymentsResponse(),
  changeAnswers: () => void = () => {},
  address = '/purchases',
) {
  localStorage.setItem('userEmail', email)
  server.get('/api/auth/session', { ...session, now: today })
  server.get('/api/payments', purchases)
  server.get('/api/subscription-changes/:userId', { changes: [aChange()] })
  server.get('/api/plan-options', planOptions())
  server.post('/api/billing/sync', { hasLiveSubscription: true })
  changeAnswers()
  return openPage(address)
}

const only = (subscription: Parameters<typeof aSubscription>[0]) => {
  const subscriptions = [aSubscription(subscription)]
  return aPaymentsResponse({ activeSubscriptions: subscriptions, allSubscriptions: subscriptions })
}

const nothingBought = aPaymentsResponse({
  activeSubscriptions: [],
  allSubscriptions: [],
  transactions: [],
  payments: [],
})

const panel = (name: string) => screen.findByRole('region', { name })

describe('Purchase History', () => {
  it('redirects a visitor to the landing page, whose login leads back to the address', async () => {
    const { user, path, search } = openPage('/purchases?from=mail')
    await waitFor(() => expect(path()).toBe('/'))
    expect(await screen.findByRole('dialog', { name: 'Log in or sign up' })).toHaveTextContent(
      'Log in to continue to your purchases.',
    )
    expect(server.calls).toEqual([])
    answerKnownCustomer(server)
    server.get('/api/payments', aPaymentsResponse())
    server.get('/api/subscription-changes/:userId', { changes: [] })
    await user.type(screen.getByLabelText('Email'), `${email}{Enter}`)
    await user.type(await screen.findByLabelText('Verification code'), '407192{Enter}')
    await panel('Company Information')
    expect(path() + search()).toBe('/purchases?from=mail')
  })

  it('shows a loading text until all data has loaded', async () => {
    openPurchases()
    await screen.findByText('Loading your purchases...')
    await panel('Active Plan')
    expect(
      await screen.findByText('Birchwood Dental Group', { selector: 'dd *' }),
    ).toBeInTheDocument()
    expect(screen.queryByText('Loading your purchases...')).not.toBeInTheDocument()
    expect(server.calls.find((call) => call.path === '/api/payments')?.search).toBe(
      `?email=${encodeURIComponent(email)}`,
    )
  })

  it('has the robots value noindex', async () => {
    openPurchases()
    await panel('Active Plan')
    expect(document.querySelector('meta[name=robots]')?.getAttribute('content')).toBe('noindex')
  })

  it('shows the active plan: price, status, next billing, and today on the scale', async () => {
    openPurchases()
    const plan = within(await panel('Active Plan'))
    expect(await plan.findByRole('heading', { name: 'Monthly Plan' })).toBeInTheDocument()
    expect(plan.getByText('$39.00')).toHaveTextContent('$39.00/month')
    expect(plan.getByText('Active')).toBeInTheDocument()
    expect(plan.getByText('Next billing').nextSibling).toHaveTextContent('Apr 3, 2026')
    expect(plan.getByText('Remaining').nextSibling).toHaveTextContent('13 days')
    expect(plan.getByRole('img')).toHaveAccessibleName(
      'Day 18 of a 31 day period, Mar 3, 2026 to Apr 3, 2026. 13 days left.',
    )
    expect(plan.getByRole('link', { name: 'Receivables' })).toHaveAttribute('href', '/receivables')
  })

  it('shows the end of a cancelled plan without a cancel button', async () => {
    openPurchases(
      only({
        cancel_at_period_end: true,
        will_cancel: true,
        cancel_at: '2026-03-25T09:00:00.000Z',
      }),
    )
    const plan = within(await panel('Active Plan'))
    expect(await plan.findByText('Cancels at period end')).toBeInTheDocument()
    expect(plan.getByText('Cancels on').nextSibling).toHaveTextContent('Mar 25, 2026')
    expect(plan.getByText('Until cancellation').nextSibling).toHaveTextContent('4 days')
    expect(plan.queryByRole('button', { name: 'Cancel plan' })).not.toBeInTheDocument()
  })

  it('shows that a plan renews before its end, by the badge and both dates', async () => {
    openPurchases(only({ will_cancel: true, cancel_at: '2026-06-20T00:00:00.000Z' }))
    const plan = within(await panel('Active Plan'))
    expect(await plan.findByText('Cancels on Jun 20, 2026')).toBeInTheDocument()
    expect(plan.queryByText('Cancels at period end')).not.toBeInTheDocument()
    expect(plan.getByText('Next billing').nextSibling).toHaveTextContent('Apr 3, 2026')
    expect(plan.getByText('Cancels on').nextSibling).toHaveTextContent('Jun 20, 2026')
  })

  it('names the day of an end within the period', async () => {
    openPurchases(only({ will_cancel: true, cancel_at: '2026-03-25T09:00:00.000Z' }))
    const plan = within(await panel('Active Plan'))
    expect(await plan.findByText('Cancels on Mar 25, 2026')).toBeInTheDocument()
    expect(plan.getByText('Cancels on').nextSibling).toHaveTextContent('Mar 25, 2026')
    expect(plan.queryByText('Next billing')).not.toBeInTheDocument()
  })

  describe('of a plan that is not paid', () => {
    const owing = (
      invoice: Partial<UnpaidInvoice> = {},
      status: Subscription['status'] = 'past_due',
    ) => only({ status, unpaid_invoices: [anUnpaidInvoice(invoice)] })

    it('shows the amount, the reason and the next attempt, and no next billing', async () => {
      openPurchases(owing())
      const plan = within(await panel('Active Plan'))
      expect(await plan.findByText('Past due')).toBeInTheDocument()
      expect(plan.getByText('$39.00 unpaid since Mar 20, 2026')).toBeInTheDocument()
      expect(
        plan.getByText('Visa ending 0341 was not charged. The card has expired.'),
      ).toBeInTheDocument()
      expect(
        plan.getByText('We try again on Mar 23, 2026 with Visa ending 4242.'),
      ).toBeInTheDocument()
      expect(plan.getByText('Amount due').nextSibling).toHaveTextContent('$39.00')
      expect(plan.getByText('Next attempt').nextSibling).toHaveTextContent('Mar 23, 2026')
      for (const untrue of ['Next billing', 'Remaining'])
        expect(plan.queryByText(untrue)).not.toBeInTheDocument()
      expect(plan.queryByRole('img')).not.toBeInTheDocument()
    })

    it('leads to the invoice as its primary action', async () => {
      const page = 'https://provider.example/invoice'
      const { user } = openPurchases(owing(), () =>
        server.post('/api/create-customer-portal-session', { url: page, since: 4 }),
      )
      await user.click(await screen.findByRole('button', { name: 'Pay $39.00 now' }))
      await waitFor(() => expect(left.to).toEqual([page]))
      expect(server.sentTo('/api/create-customer-portal-session')).toEqual([
        expect.objectContaining({ action: 'pay' }),
      ])
    })

    it('says that no attempt is planned if the provider plans none', async () => {
      openPurchases(owing({ next_attempt_at: null }, 'unpaid'))
      const plan = within(await panel('Active Plan'))
      expect(await plan.findByText(/^No further attempt is planned/)).toBeInTheDocument()
      expect(plan.getByText('Next attempt').nextSibling).toHaveTextContent('None planned')
    })

    it('asks for the confirmation that the bank wants', async () => {
      const reason = 'Your bank asks you to confirm the payment.'
      openPurchases(owing({ needs_confirmation: true, reason }, 'incomplete'))
      expect(await screen.findByRole('button', { name: 'Confirm $39.00 now' })).toBeEnabled()
      expect(screen.getByText(/Your bank asks you to confirm/)).toBeInTheDocument()
      expect(screen.getByText('Your plan starts with this payment.')).toBeInTheDocument()
    })

    it('says so if the provider has not reported a failed payment yet', async () => {
      openPurchases(only({ status: 'past_due' }))
      expect(await screen.findByText(/^A payment is unpaid\./)).toBeInTheDocument()
      expect(screen.queryByText('Next billing')).not.toBeInTheDocument()
    })
  })

  it('shows until when the plan is paid if no payment covers its period', async () => {
    openPurchases(only({ paid_until: '2026-03-03T09:12:00.000Z' }))
    const plan = within(await panel('Active Plan'))
    expect(
      await plan.findByText(
        'Your plan was paid until Mar 3, 2026. No payment covers the present period yet.',
      ),
    ).toBeInTheDocument()
    expect(plan.queryByRole('img')).not.toBeInTheDocument()
  })

  it('shows the customer’s default payment method with the expiry of the card', async () => {
    openPurchases(
      aPaymentsResponse({
        defaultPaymentMethod: {
          name: 'Mastercard ending 4444',
          expires: '01/30',
        },
      }),
    )
    const plan = within(await panel('Active Plan'))
    expect((await plan.findByText('Payment method')).nextSibling).toHaveTextContent(
      'Mastercard ending 4444, expires 01/30',
    )
  })

  it('shows a plan change and its new plan, each subscription once', async () => {
    const current = aSubscription({ next_subscription_id: 'sub_next' })
    const next = aSubscription({
      subscription_id: 'sub_next',
      plan_name: 'Annual Plan',
      price: 359,
      interval: 'year',
      plan_interval: 'year',
      is_plan_change: true,
      current_period_start: '2026-04-03T09:12:00.000Z',
      current_period_end: '2027-04-03T09:12:00.000Z',
    })
    openPurchases(
      aPaymentsResponse({ activeSubscriptions: [current], allSubscriptions: [next, current] }),
    )
    const plan = within(await panel('Active Plan'))
    expect(await plan.findAllByRole('heading', { name: 'Monthly Plan' })).toHaveLength(1)
    expect(plan.getByText('Plan change pending')).toBeInTheDocument()
    expect(plan.getByText('Starts after current plan ends')).toBeInTheDocument()
    expect(plan.getByText('$359.00/year from Apr 3, 2026')).toBeInTheDocument()
  })

  it('attaches a planned plan to its own subscription, and shows a badge for a pending replacement', async () => {
    const first = aSubscription({
      metadata: { ...aSubscription().metadata, pending_replacement: true },
    })
    const second = aSubscription({
      id: 'sub_2',
      subscription_id: 'sub_2',
      plan_name: 'Six-Month Plan',
      current_period_start: '2026-03-04T09:12:00.000Z',
    })
    const planned = aSubscription({
      id: 'sub_1TYh6mK2vLm_next',
      subscription_id: 'sub_1TYh6mK2vLm_next',
      previous_subscription_id: first.subscription_id,
      plan_name: 'Annual Plan',
      price: 359,
      interval: 'year',
      plan_interval: 'year',
      status: 'scheduled',
      is_plan_change: true,
      current_period_start: '2026-04-03T09:12:00.000Z',
    })
    const all = [second, planned, first]
    openPurchases(aPaymentsResponse({ activeSubscriptions: all, allSubscriptions: all }))
    const plan = await panel('Active Plan')
    const articles = within(plan)
      .getAllByRole('article')
      .map((article) => article.textContent)
    expect(articles).toHaveLength(2)
    expect(articles[0]).toMatch(
      /^Monthly Plan.*Plan change pending.*Annual Plan.*Starts after current plan ends/,
    )
    expect(articles[1]).toMatch(/^Six-Month Plan/)
    expect(articles[1]).not.toContain('Annual Plan')
  })

  it('shows a running plan whose period begins after the product’s clock', async () => {
    openPurchases(only({ current_period_start: '2026-03-21T15:00:05.000Z' }))
    const plan = within(await panel('Active Plan'))
    expect(await plan.findByText('Next billing')).toBeInTheDocument()
    expect(plan.queryByText('Starts after current plan ends')).not.toBeInTheDocument()
  })

  it('shows a paused plan with the day on which it resumes', async () => {
    openPurchases(only({ status: 'paused', resumes_at: '2026-05-03T09:12:00.000Z' }))
    const plan = within(await panel('Active Plan'))
    expect(await plan.findByText('Paused', { selector: '.chip' })).toBeInTheDocument()
    expect(plan.getByText('The plan is paused. It resumes on May 3, 2026.')).toBeInTheDocument()
    expect(plan.getByText('Next billing').nextSibling).toHaveTextContent('Paused')
    expect(plan.getByText('Resumes on').nextSibling).toHaveTextContent('May 3, 2026')
  })

  it('does not say that a paused plan resumes if it is cancelled', async () => {
    openPurchases(
      only({
        status: 'paused',
        resumes_at: '2026-05-03T09:12:00.000Z',
        will_cancel: true,
        cancel_at: '2026-04-03T09:12:00.000Z',
      }),
    )
    const plan = within(await panel('Active Plan'))
    expect(await plan.findByText(/No payment is collected during the pause/)).toBeInTheDocument()
    expect(plan.getByText('Cancels on').nextSibling).toHaveTextContent('Apr 3, 2026')
    expect(plan.queryByText(/resumes on/i)).not.toBeInTheDocument()
  })

  it('shows a paused plan without a date', async () => {
    openPurchases(only({ status: 'paused' }))
    const plan = within(await panel('Active Plan'))
    expect(await plan.findByText(/No payment is collected until it resumes/)).toBeInTheDocument()
    expect(plan.getByText('Resumes on').nextSibling).toHaveTextContent('No date set')
  })

  it('shows Premium Plan for a plan without a name', async () => {
    openPurchases(only({ plan_name: '', name: '' }))
    expect(
      await within(await panel('Active Plan')).findByRole('heading', { name: 'Premium Plan' }),
    ).toBeInTheDocument()
  })

  it('shows the payment method of the latest payment, not of a later credit note', async () => {
    openPurchases(
      aPaymentsResponse({
        payments: [aPayment({ amount_total: -7.8, payment_method: null }), aPayment()],
      }),
    )
    const plan = within(await panel('Active Plan'))
    expect((await plan.findByText('Payment method')).nextSibling).toHaveTextContent(
      'Visa ending 4242',
    )
  })

  it('shows no ended plan', async () => {
    openPurchases(only({ status: 'canceled' }))
    expect(await panel('No Active Subscription')).toBeInTheDocument()
  })

  it('lists payments, refunds and credit notes with sign and description', async () => {
    openPurchases(
      aPaymentsResponse({
        transactions: [
          aTransaction({ id: '1', status: 'succeeded' }),
          aTransaction({
            id: '2',
            type: 'refund',
            amount: -13,
            status: 'refunded',
            reason: 'order_change',
            memo: 'For the first two weeks.',
          }),
          aTransaction({ id: '3', type: 'credit_note', amount: -7.8, status: 'paid' }),
          aTransaction({ id: '4', amount: 1200, currency: 'jpy', status: 'failed' }),
          aTransaction({ id: '5', status: 'disputed', receipt_url: null }),
          aTransaction({ id: '6', status: 'voided' }),
          aTransaction({ id: '7', status: 'uncollectible' }),
        ],
      }),
    )
    const table = await screen.findByRole('table', { name: 'Transaction History' })
    const rows = within(table)
      .getAllByRole('row')
      .slice(1)
      .map((row) => row.textContent)
    expect(rows[0]).toMatch(/Mar 3, 20269:12 AMPayment.*\$39\.00Completed/)
    expect(rows[1]).toMatch(
      /Refund.*Reason: Order changeFor the first two weeks\..*\u2212\$13\.00Refunded/,
    )
    expect(rows[2]).toMatch(/Credit Note.*\u2212\$7\.80Completed/)
    expect(rows[3]).toMatch(/Payment.*¥1,200Failed/)
    expect(rows.slice(4).map((row) => row?.replace(/.*\.00/, ''))).toEqual([
      'Disputed',
      'VoidedReceipt',
      'UncollectibleReceipt',
    ])
  })

  it('shows the words of a type and a status of a newer release', async () => {
    const newer = { type: 'dispute_fee', status: 'partially_refunded' }
    const transaction = Object.assign(aTransaction({}), newer)
    openPurchases(aPaymentsResponse({ transactions: [transaction] }))
    const table = await screen.findByRole('table', { name: 'Transaction History' })
    const [, row] = within(table).getAllByRole('row')
    expect(row).toHaveTextContent(/AMDispute fee.*\$39\.00Partially refunded/)
  })

  it('says beside a lost dispute that totals still count the payment', async () => {
    openPurchases(aPaymentsResponse({ transactions: [aTransaction({ status: 'dispute_lost' })] }))
    const table = await screen.findByRole('table', { name: 'Transaction History' })
    const [, row] = within(table).getAllByRole('row')
    expect(row).toHaveTextContent(
      /The bank returned this payment\. Totals still count it as paid\./,
    )
    expect(row).toHaveTextContent('Dispute lost')
  })

  it('links a credit note by the word of its type', async () => {
    openPurchases(
      aPaymentsResponse({ transactions: [aTransaction({ type: 'credit_note', amount: -13 })] }),
    )
    const table = await screen.findByRole('table', { name: 'Transaction History' })
    expect(
      within(table).getByRole('link', { name: 'Credit Note of Mar 3, 2026, \u2212$13.00' }),
    ).toHaveTextContent('Credit Note')
  })

  it('links an entry to its receipt', async () => {
    openPurchases()
    const table = await screen.findByRole('table', { name: 'Transaction History' })
    expect(
      within(table).getByRole('link', { name: 'Receipt of Mar 3, 2026, $39.00' }),
    ).toHaveAttribute('href', '/receipts/in_1TbQ8x')
  })

  it('shows Payment Details if there are no transactions', async () => {
    openPurchases(aPaymentsResponse({ transactions: [], payments: [aPayment()] }))
    expect(await screen.findByText('No transactions found')).toBeInTheDocument()
    expect(
      within(screen.getByRole('table', { name: 'Payment Details' })).getByText('$39.00'),
    ).toBeInTheDocument()
  })

  it('hides Payment Details if there is a transaction', async () => {
    openPurchases()
    await screen.findByRole('table', { name: 'Transaction History' })
    expect(screen.queryByRole('table', { name: 'Payment Details' })).not.toBeInTheDocument()
  })

  it('lists the plan changes', async () => {
    openPurchases()
    const history = within(await panel('Plan Change History'))
    expect(await history.findByText('Monthly Plan to Annual Plan')).toBeInTheDocument()
    expect(history.getByRole('listitem')).toHaveTextContent(
      'Requested Mar 18, 2026. Effective Apr 3, 2026.',
    )
  })

  it('shows withdrawn changes, and a proration as a charge or a credit', async () => {
    openPurchases(aPaymentsResponse(), () =>
      server.get('/api/subscription-changes/:userId', {
        changes: [
          aChange({ change_id: '1', proration_amount: 22.1 }),
          aChange({ change_id: '2', proration_amount: -1200, currency: 'jpy' }),
          aChange({
            change_id: '3',
            change_type: 'cancellation',
            withdrawn_date: '2026-03-19T10:00:00.000Z',
          }),
          aChange({ change_id: '4', new_plan_name: 'Monthly Plan', new_interval: '6_month' }),
        ],
      }),
    )
    const history = within(await panel('Plan Change History'))
    const [charge, credit, withdrawn, sameName] = (await history.findAllByRole('listitem')).map(
      (item) => item.textContent,
    )
    expect(charge).toContain('Charge $22.10')
    expect(credit).toContain('Credit ¥1,200')
    expect(withdrawn).toBe(
      'CancellationWithdrawnMonthly PlanRequested Mar 18, 2026. Withdrawn Mar 19, 2026.',
    )
    expect(sameName).toContain('Monthly Plan, monthly to every 6 months')
  })

  it('shows an empty history without an error if the plan changes cannot be loaded', async () => {
    openPurchases(aPaymentsResponse(), () =>
      server.get('/api/subscription-changes/:userId', refusal(500, { error: 'Something broke' })),
    )
    expect(await screen.findByText('No subscription changes found')).toBeInTheDocument()
    expect(screen.queryByRole('alert')).not.toBeInTheDocument()
  })

  it('shows that loading failed, and loads again on Retry', async () => {
    const { user } = openPurchases(aPaymentsResponse(), () =>
      server.get('/api/payments', refusal(500, { error: 'Something broke' })),
    )
    expect(await screen.findByText('Failed to load data')).toBeInTheDocument()
    expect(screen.queryByRole('table')).not.toBeInTheDocument()
    server.get('/api/payments', aPaymentsResponse())
    await user.click(screen.getByRole('button', { name: 'Retry' }))
    expect(await panel('Active Plan')).toBeInTheDocument()
  })
})

describe('Keep plan', () => {
  const canceled = () => only({ will_cancel: true, cancel_at: '2026-04-03T09:12:00.000Z' })
  const ofMail = '/purchases?keep=sub_1TYh6mK2vLm'

  it('is the question that the link of the mail opens', async () => {
    openPurchases(canceled(), undefined, ofMail)
    expect(await screen.findByRole('dialog', { name: 'Keep the Monthly Plan?' })).toBeVisible()
  })

  it('is not asked by the link of an earlier mail', async () => {
    openPurchases(aPaymentsResponse(), undefined, ofMail)
    expect(await screen.findByRole('button', { name: 'Cancel plan' })).toBeInTheDocument()
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  })

  it('says what follows, withdraws the cancellation and shows the plan without an end', async () => {
    const { user } = openPurchases(canceled())
    const plan = within(await panel('Active Plan'))
    expect(
      await plan.findByText('Your plan ends on Apr 3, 2026. It does not renew.'),
    ).toBeInTheDocument()
    await user.click(plan.getByRole('button', { name: 'Keep plan' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Keep the Monthly Plan?' }))
    expect(
      dialog.getByText(
        'Your plan no longer ends on Apr 3, 2026. It renews until you cancel it again. Nothing is charged now. The next payment is due on Apr 3, 2026: $39.00/month, before tax and discounts.',
      ),
    ).toBeInTheDocument()
    server.post('/api/keep-plan', () => {
      server.get('/api/payments', aPaymentsResponse())
      return Response.json({ plan: 'Monthly Plan', renews_at: '2026-04-03T09:12:00.000Z' })
    })
    await user.click(dialog.getByRole('button', { name: 'Keep plan' }))
    expect(
      await screen.findByText('Your Monthly Plan continues. It renews on Apr 3, 2026.'),
    ).toBeInTheDocument()
    expect(server.sentTo('/api/keep-plan')).toEqual([{ subscriptionId: 'sub_1TYh6mK2vLm' }])
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
    expect(await plan.findByText('Next billing')).toBeInTheDocument()
    expect(plan.getByRole('button', { name: 'Cancel plan' })).toHaveFocus()
  })

  it.each([
    ['2026-03-22T09:12:00.000Z', 'The unpaid $39.00 stays due: we try again on Mar 22, 2026.'],
    [null, 'The unpaid $39.00 stays due.'],
  ])('does not say that nothing is charged while a payment is unpaid', async (next, due) => {
    const { user } = openPurchases(
      only({
        status: 'past_due',
        will_cancel: true,
        cancel_at: '2026-04-03T09:12:00.000Z',
        unpaid_invoices: [anUnpaidInvoice({ next_attempt_at: next })],
      }),
    )
    await user.click(await screen.findByRole('button', { name: 'Keep plan' }))
    const dialog = within(await screen.findByRole('dialog'))
    expect(
      dialog.getByText(
        `Your plan no longer ends on Apr 3, 2026. It renews until you cancel it again. ${due}`,
      ),
    ).toBeInTheDocument()
  })

  it('shows a failure in the dialog, and changes nothing if it is closed', async () => {
    const { user } = openPurchases(canceled())
    await user.click(await screen.findByRole('button', { name: 'Keep plan' }))
    const dialog = within(await screen.findByRole('dialog'))
    server.post('/api/keep-plan', refusal(502, { error: 'Nothing has changed. Try again.' }))
    await user.click(dialog.getByRole('button', { name: 'Keep plan' }))
    expect(await dialog.findByText('Nothing has changed. Try again.')).toBeInTheDocument()
    await user.click(dialog.getByRole('button', { name: 'Not now' }))
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
    expect(server.sentTo('/api/keep-plan')).toHaveLength(1)
  })

  it('says that the plan has ended meanwhile, on the page that then shows no plan', async () => {
    const { user } = openPurchases(canceled())
    await user.click(await screen.findByRole('button', { name: 'Keep plan' }))
    const dialog = within(await screen.findByRole('dialog'))
    server.post('/api/keep-plan', () => {
      server.get(
        '/api/payments',
        aPaymentsResponse({ activeSubscriptions: [], allSubscriptions: [] }),
      )
      return Response.json({ error: 'This plan has ended.' }, { status: 409 })
    })
    await user.click(dialog.getByRole('button', { name: 'Keep plan' }))
    expect(await screen.findByText('No Active Subscription')).toBeInTheDocument()
    expect(screen.getByRole('alert')).toHaveTextContent('This plan has ended.')
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  })
})

describe('the billing portal', () => {
  async function press(name: string) {
    const { user } = openPurchases()
    await user.click(await screen.findByRole('button', { name }))
  }

  it.each([
    ['Manage Plan', 'manage'],
    ['Update payment method', 'payment_method'],
    ['Cancel plan', 'cancel'],
  ])('opens for this subscription by %s', async (name, action) => {
    server.post('/api/create-customer-portal-session', {
      url: 'http://localhost:3001/portal/1',
      since: 7,
    })
    await press(name)
    await waitFor(() => expect(left.to).toEqual(['http://localhost:3001/portal/1']))
    expect(server.sentTo('/api/create-customer-portal-session')).toEqual([
      { email, returnUrl: '/purchases?portal=return', subscriptionId: 'sub_1TYh6mK2vLm', action },
    ])
  })

  it.each([
    [
      'a refusal with a sentence',
      refusal(409, { error: 'The plan has ended' }),
      'The plan has ended',
    ],
    ['a refusal without a sentence', refusal(500, {}), 'Failed to create portal session'],
    ['an answer without an address', {}, 'No URL returned from server'],
    ['a lost connection', unreachable, 'Failed to generate portal URL'],
    ['an ended session', refusal(401, { error: 'Sign in' }), 'You need to be logged in'],
  ])('shows the error after %s', async (_case, answer, text) => {
    server.post('/api/create-customer-portal-session', answer)
    await press('Manage Plan')
    expect(await screen.findByText(text)).toBeInTheDocument()
    expect(left.to).toEqual([])
  })
})

describe('after the billing portal, the page', () => {
  const syncs = () => server.sentTo('/api/billing/sync').length
  const cancelled = () => only({ will_cancel: true, cancel_at: '2026-04-03T09:12:00.000Z' })
  const afterSync = (answer: () => void) => () =>
    server.post('/api/billing/sync', () => {
      answer()
      return Response.json({ hasLiveSubscription: true })
    })

  it('synchronizes once, shows the change and removes the marker from the address', async () => {
    const { path, search } = openPurchases(
      aPaymentsResponse(),
      afterSync(() => server.get('/api/payments', cancelled())),
      '/purchases?portal=return',
    )
    expect(await screen.findByText('Cancels at period end')).toBeInTheDocument()
    expect([path(), search(), syncs()]).toEqual(['/purchases', '', 1])
  })

  it('synchronizes once when the customer comes back by Back', async () => {
    server.post('/api/create-customer-portal-session', {
      url: 'http://localhost:3001/portal/1',
      since: 7,
    })
    const { user } = openPurchases()
    await user.click(await screen.findByRole('button', { name: 'Manage Plan' }))
    await waitFor(() => expect(left.to).toHaveLength(1))
    expect(syncs()).toBe(0)
    cleanup()
    openPurchases(
      aPaymentsResponse(),
      afterSync(() => server.get('/api/payments', cancelled())),
    )
    expect(await screen.findByText('Cancels at period end')).toBeInTheDocument()
    cleanup()
    openPurchases()
    await panel('Active Plan')
    expect(syncs()).toBe(1)
  })

  it('synchronizes when the browser restores it from its back/forward cache', async () => {
    server.post('/api/create-customer-portal-session', {
      url: 'http://localhost:3001/portal/1',
      since: 7,
    })
    const { user } = openPurchases(
      aPaymentsResponse(),
      afterSync(() => server.get('/api/payments', cancelled())),
    )
    await user.click(await screen.findByRole('button', { name: 'Manage Plan' }))
    await waitFor(() => expect(left.to).toHaveLength(1))
    fireEvent(window, new PageTransitionEvent('pageshow', { persisted: true }))
    expect(await screen.findByText('Cancels at period end')).toBeInTheDocument()
    expect(syncs()).toBe(1)
  })

  it('shows its data without an error if the sync fails', async () => {
    const { search } = openPurchases(
      aPaymentsResponse(),
      () => server.post('/api/billing/sync', refusal(503, { error: 'Something broke' })),
      '/purchases?portal=return',
    )
    await panel('Active Plan')
    await waitFor(() => expect(screen.queryByText('Checking for changes...')).toBeNull())
    expect(screen.getByText('Next billing')).toBeInTheDocument()
    expect(screen.queryByRole('alert')).not.toBeInTheDocument()
    expect(screen.queryByText('Something broke')).not.toBeInTheDocument()
    expect([search(), syncs()]).toEqual(['', 1])
  })

  it('says what changed since the portal was opened, in a toast and on the page', async () => {
    openPurchases(
      aPaymentsResponse(),
      () =>
        server.post('/api/billing/sync', {
          hasLiveSubscription: true,
          changes: [
            { kind: 'payment-method', method: 'Mastercard ending 4444' },
            {
              kind: 'cancellation-scheduled',
              plan: 'Monthly Plan',
              ends_at: '2026-04-03T09:12:00.000Z',
              renews_at: null,
            },
          ],
        }),
      '/purchases?portal=41',
    )
    const card = 'Your payment method is now Mastercard ending 4444.'
    const end = 'Your Monthly Plan ends on Apr 3, 2026. It does not renew.'
    expect(await screen.findByText(`${card} ${end}`)).toBeInTheDocument()
    expect(screen.getByText(card)).toBeInTheDocument()
    expect(screen.getByText(end)).toBeInTheDocument()
    expect(server.calls.filter(({ path }) => path === '/api/billing/sync')).toMatchObject([
      { search: '?since=41' },
    ])
  })

  it('claims nothing if nothing changed', async () => {
    openPurchases(
      aPaymentsResponse(),
      () => server.post('/api/billing/sync', { hasLiveSubscription: true, changes: [] }),
      '/purchases?portal=41',
    )
    await panel('Active Plan')
    await waitFor(() => expect(screen.queryByText('Checking for changes...')).toBeNull())
    expect(syncs()).toBe(1)
    expect(screen.queryByText(/Your /)).not.toBeInTheDocument()
  })

  it('keeps the other parameters of the address', async () => {
    const { search } = openPurchases(
      aPaymentsResponse(),
      () => {},
      '/purchases?portal=return&from=mail',
    )
    await panel('Active Plan')
    await waitFor(() => expect(search()).toBe('?from=mail'))
  })
})

describe('the subscription dialog', () => {
  it('offers Subscribe Now after its sync finds that the plan has ended', async () => {
    const { user } = openPurchases()
    await screen.findByRole('region', { name: 'Active Plan' })
    server.post('/api/billing/sync', () => {
      server.get('/api/payments', nothingBought)
      return Response.json({ hasLiveSubscription: false })
    })
    await user.click(await screen.findByRole('button', { name: 'View plans' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Agile Subscription' }))
    expect(dialog.getByRole('button', { name: 'Subscribe Now' })).toBeEnabled()
    expect(dialog.queryByText('Currently Active')).not.toBeInTheDocument()
    expect(server.sentTo('/api/billing/sync')).toHaveLength(1)
  })

  it('offers the plan to a customer without one', async () => {
    const { user } = openPurchases(nothingBought)
    await user.click(await screen.findByRole('button', { name: 'View Plans & Subscribe' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Agile Subscription' }))
    expect(dialog.getByText('$39.00')).toHaveTextContent('$39.00/month')
    expect(dialog.getAllByRole('term')).toHaveLength(10)
    expect(dialog.getByRole('button', { name: 'Subscribe Now' })).toBeEnabled()
    await user.click(dialog.getByRole('button', { name: 'Close' }))
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  })

  it('shows the server’s refusal and allows another attempt', async () => {
    server.get('/api/plans', refusal(409, { error: 'You already have an active subscription' }))
    const { user } = openPurchases(nothingBought)
    await user.click(await screen.findByRole('button', { name: 'View Plans & Subscribe' }))
    await user.click(await screen.findByRole('button', { name: 'Subscribe Now' }))
    expect(await screen.findByText('You already have an active subscription')).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Subscribe Now' })).toBeEnabled()
  })

  it('has no Subscribe Now for a customer with a live plan', async () => {
    const { user, path } = openPurchases()
    await user.click(await screen.findByRole('button', { name: 'View plans' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Upgrade Your Plan' }))
    expect(dialog.getByText('Currently Active')).toBeInTheDocument()
    expect(dialog.queryByRole('button', { name: 'Subscribe Now' })).not.toBeInTheDocument()
    await user.click(dialog.getByRole('button', { name: 'Manage Plan' }))
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
    expect(path()).toBe('/purchases')
  })

  it('shows the plan that the customer has as Currently Active', async () => {
    const sixMonth = { plan_id: 'six-month', plan_name: 'Six-Month Plan', price: 199 }
    const interval = { interval: '6_month', plan_interval: '6_month' }
    const { user } = openPurchases(only({ ...sixMonth, ...interval }), () =>
      server.get('/api/plan-options', planOptions({ plans: [] })),
    )
    await user.click(await screen.findByRole('button', { name: 'View plans' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Upgrade Your Plan' }))
    expect(dialog.getByRole('heading', { name: 'Six-Month Plan' })).toBeInTheDocument()
    expect(dialog.getByText('$199.00')).toHaveTextContent('$199.00/6 months')
    expect(dialog.getByText('Currently Active')).toBeInTheDocument()
  })

  it('lists the plans with price, interval and fee, and leads to the confirmation', async () => {
    const portal = 'https://provider.example/portal'
    const { user } = openPurchases(undefined, () =>
      server.post('/api/create-customer-portal-session', { url: portal, since: 4 }),
    )
    await user.click(await screen.findByRole('button', { name: 'View plans' }))
    const rows = within(await screen.findByRole('list', { name: 'Plans' })).getAllByRole('listitem')
    expect(rows.map(({ textContent }) => textContent)).toEqual([
      'Six-Month Plan$199.00/6 months5% fee on customer paymentsChange to Six-Month Plan',
      'Annual Plan$359.00/year3% fee on customer paymentsChange to Annual Plan',
    ])
    await user.click(screen.getByRole('button', { name: 'Change to Annual Plan' }))
    await waitFor(() => expect(left.to).toEqual([portal]))
    expect(server.sentTo('/api/create-customer-portal-session')).toEqual([
      expect.objectContaining({
        subscriptionId: aSubscription().subscription_id,
        action: 'update',
        planId: 'annual',
      }),
    ])
  })

  it('says why the plan cannot be changed, and offers no change', async () => {
    const obstacle = 'A payment of your plan is unpaid. Pay it first, then change the plan.'
    const { user } = openPurchases(only({ status: 'past_due' }), () =>
      server.get('/api/plan-options', planOptions({ obstacle })),
    )
    await user.click(await screen.findByRole('button', { name: 'View plans' }))
    expect(await screen.findByText(obstacle)).toBeInTheDocument()
    expect(screen.getByRole('list', { name: 'Plans' })).toHaveTextContent('Annual Plan')
    expect(screen.queryByRole('button', { name: /^Change to/ })).not.toBeInTheDocument()
  })

  it('shows the server’s reason if the plan could not be changed', async () => {
    const { user } = openPurchases(undefined, () =>
      server.post(
        '/api/create-customer-portal-session',
        refusal(409, { error: 'Your plan is set to end. Keep it first, then change it.' }),
      ),
    )
    await user.click(await screen.findByRole('button', { name: 'View plans' }))
    await user.click(await screen.findByRole('button', { name: 'Change to Annual Plan' }))
    expect(await screen.findByText(/^Your plan is set to end\./)).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Change to Annual Plan' })).toBeEnabled()
  })

  it('offers to load the plans again after a failure', async () => {
    const { user } = openPurchases(undefined, () => server.get('/api/plan-options', unreachable))
    await user.click(await screen.findByRole('button', { name: 'View plans' }))
    const retry = await screen.findByRole('button', { name: 'Retry' })
    server.get('/api/plan-options', planOptions())
    await user.click(retry)
    expect(await screen.findByRole('list', { name: 'Plans' })).toBeInTheDocument()
  })

  it('shows no features of a plan outside the catalogue', async () => {
    const { user } = openPurchases(only({ plan_id: null, plan_name: 'Legacy Plan' }))
    await user.click(await screen.findByRole('button', { name: 'View plans' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Upgrade Your Plan' }))
    expect(dialog.getByRole('heading', { name: 'Legacy Plan' })).toBeInTheDocument()
    expect(dialog.queryByRole('term')).not.toBeInTheDocument()
  })

  it.each([
    ['trialing', 'Currently Active'],
    ['past_due', 'Past due'],
    ['unpaid', 'Unpaid'],
    ['paused', 'Paused'],
  ] as const)(
    'offers Manage Plan and no Subscribe Now to a customer whose subscription is %s',
    async (status, label) => {
      const { user } = openPurchases(only({ status }))
      await user.click(await screen.findByRole('button', { name: 'View plans' }))
      const dialog = within(await screen.findByRole('dialog', { name: 'Upgrade Your Plan' }))
      expect(dialog.getByText(label)).toBeInTheDocument()
      expect(dialog.getByRole('button', { name: 'Manage Plan' })).toBeInTheDocument()
      expect(dialog.queryByRole('button', { name: 'Subscribe Now' })).not.toBeInTheDocument()
      expect(
        screen.queryByRole('button', { name: 'View Plans & Subscribe' }),
      ).not.toBeInTheDocument()
    },
  )

  it('offers Subscribe Now to a customer whose first payment is not complete', async () => {
    const { user } = openPurchases(only({ status: 'incomplete' }))
    await user.click(await screen.findByRole('button', { name: 'View plans' }))
    expect(await screen.findByRole('button', { name: 'Subscribe Now' })).toBeEnabled()
  })
})
