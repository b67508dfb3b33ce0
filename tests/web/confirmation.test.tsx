import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { Subscription } from '#contracts/purchases'
import { email, session } from './support/auth-answers.ts'
import { refusal, startApiServer } from './support/api-server.ts'
import { openPage, preload } from './support/open-page.tsx'
import {
  aChange,
  aPayment,
  aPaymentsResponse,
  aSubscription,
  today,
} from './support/purchases-data.ts'

preload(() => import('../../web/features/confirmation/confirmation-page.tsx'))

const server = startApiServer()

const nothingYet = aPaymentsResponse({
  payments: [],
  transactions: [],
  activeSubscriptions: [],
  allSubscriptions: [],
})

/** Opens the page as after a checkout. `changeAnswers` replaces answers before the page opens. */
function openConfirmation(changeAnswers: () => void = () => {}, path = '/payment-success') {
  localStorage.setItem('userEmail', email)
  localStorage.setItem('businessName', 'Birchwood Dental Group')
  server.post('/api/billing/sync', { hasLiveSubscription: true })
  server.get('/api/payments', aPaymentsResponse())
  server.get('/api/subscriptions', [
    aSubscription({ status: 'canceled', plan_name: 'Old Plan' }),
    aSubscription(),
  ])
  changeAnswers()
  return openPage(path)
}

const valueOf = (term: string) => screen.getByText(term).nextSibling?.textContent

describe('Subscription Activated!', () => {
  it('leads to the receivables, where the checklist is', async () => {
    openConfirmation()
    expect(await screen.findByRole('link', { name: 'Set up your receivables' })).toHaveAttribute(
      'href',
      '/receivables',
    )
  })

  it('shows the business name, the payment and the subscription', async () => {
    openConfirmation()
    expect(await screen.findByText(/Birchwood Dental Group/)).toHaveTextContent(
      'Hello, Birchwood Dental Group. Loading details...',
    )
    expect(
      await screen.findByRole('heading', { name: 'Subscription Activated!' }),
    ).toBeInTheDocument()
    expect(screen.getByText(/Birchwood Dental Group/)).toHaveTextContent(
      'Thank you, Birchwood Dental Group. Your plan is running.',
    )
    expect(await screen.findByRole('heading', { name: 'Payment Details' })).toBeInTheDocument()
    expect(valueOf('Amount')).toBe('$39.00')
    expect(valueOf('Date')).toBe('March 3, 2026')
    expect(screen.getByRole('heading', { name: 'Subscription Details' })).toBeInTheDocument()
    expect(valueOf('Plan')).toBe('Monthly Plan')
    expect(valueOf('Billed')).toBe('Monthly')
    expect(valueOf('Current period')).toBe('March 3, 2026 to April 3, 2026')
    expect(screen.queryByText(/Loading details/)).not.toBeInTheDocument()
  })

  it('shows the payment status unchanged, and no payment method if there is none', async () => {
    const payments = [aPayment({ payment_status: 'dispute_lost', payment_method: null })]
    openConfirmation(() => server.get('/api/payments', aPaymentsResponse({ payments })))
    await screen.findByRole('heading', { name: 'Payment Details' })
    expect(screen.getByText('dispute_lost')).toBeInTheDocument()
    expect(screen.queryByText('Payment method')).not.toBeInTheDocument()
  })

  it('shows the latest payment with a positive amount', async () => {
    const payments = [
      aPayment({ payment_id: 're_1', amount_total: -13 }),
      aPayment({ payment_id: 'in_free', amount_total: 0 }),
      aPayment({ amount_total: 359 }),
      aPayment(),
    ]
    openConfirmation(() => server.get('/api/payments', aPaymentsResponse({ payments })))
    await screen.findByRole('heading', { name: 'Payment Details' })
    expect(valueOf('Amount')).toBe('$359.00')
  })

  it('does not wait for a payment of a trial', async () => {
    openConfirmation(() => {
      server.get('/api/payments', nothingYet)
      server.get('/api/subscriptions', [aSubscription({ status: 'trialing' })])
    })
    expect(await screen.findByRole('heading', { name: 'Subscription Details' })).toBeInTheDocument()
    await waitFor(() => expect(screen.queryByText(/Loading details/)).not.toBeInTheDocument())
  })

  it('shows Premium Plan for a plan without a name', async () => {
    openConfirmation(() =>
      server.get('/api/subscriptions', [aSubscription({ plan_name: '', name: '' })]),
    )
    expect(await screen.findByText('Premium Plan')).toBeInTheDocument()
  })

  it('fetches payment and subscription after the sync with the provider', async () => {
    openConfirmation()
    await screen.findByRole('heading', { name: 'Payment Details' })
    const [first, ...together] = server.calls.map(({ path }) => path)
    expect(first).toBe('/api/billing/sync')
    expect(together.sort()).toEqual(['/api/payments', '/api/subscriptions'])
  })

  it('polls until the purchase arrives if the webhook is late', async () => {
    openConfirmation(() => {
      server.get('/api/payments', nothingYet)
      server.get('/api/subscriptions', [])
    })
    expect(await screen.findByText(/Your account details were sent to/)).toHaveTextContent(email)
    expect(screen.getByText(/Loading details\.\.\./)).toBeInTheDocument()
    server.get('/api/payments', aPaymentsResponse())
    server.get('/api/subscriptions', [aSubscription()])
    expect(await screen.findByRole('heading', { name: 'Payment Details' })).toBeInTheDocument()
    expect(await screen.findByRole('heading', { name: 'Subscription Details' })).toBeInTheDocument()
    await waitFor(() => expect(screen.queryByText(/were sent to/)).not.toBeInTheDocument())
  })

  it('shows no errors of failed requests', async () => {
    openConfirmation(() => {
      for (const path of ['/api/payments', '/api/subscriptions'])
        server.get(path, refusal(500, { error: 'Something broke' }))
      server.post('/api/billing/sync', refusal(503, { error: 'Something broke' }))
    })
    expect(await screen.findByText(/Your account details were sent to/)).toHaveTextContent(email)
    expect(screen.queryByText('Something broke')).not.toBeInTheDocument()
    expect(screen.queryByRole('alert')).not.toBeInTheDocument()
  })

  it('sends no request without a stored e-mail, and claims nothing about it', async () => {
    openPage('/payment-success?session_id=cs_test_1')
    expect(await screen.findByText(/Log in to see your payment and your plan/)).toBeInTheDocument()
    expect(screen.getByRole('heading', { level: 1, name: 'Your subscription' })).toBeVisible()
    expect(screen.queryByText(/were sent to/)).not.toBeInTheDocument()
    expect(screen.queryByText(/Loading details/)).not.toBeInTheDocument()
    expect(screen.queryByText(/Your payment went through/)).not.toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Log in' })).toBeInTheDocument()
    expect(server.calls).toEqual([])
  })

  it('does not claim an activation before the answers have arrived', async () => {
    openConfirmation()
    expect(await screen.findByRole('heading', { name: 'Your subscription' })).toBeInTheDocument()
    expect(screen.queryByText('Subscription Activated!')).not.toBeInTheDocument()
    expect(
      await screen.findByRole('heading', { name: 'Subscription Activated!' }),
    ).toBeInTheDocument()
    expect(document.title).toMatch(/^Subscription Activated \|/)
  })

  it('names what has not happened instead of an activation', async () => {
    openConfirmation(() =>
      server.get('/api/subscriptions', [aSubscription({ status: 'canceled' })]),
    )
    expect(await screen.findByRole('heading', { name: 'No active plan found' })).toBeInTheDocument()
    expect(screen.getByText(/has found no active plan yet/)).toHaveTextContent(
      'Hello, Birchwood Dental Group. This page has found no active plan yet.',
    )
    expect(screen.queryByText('Subscription Activated!')).not.toBeInTheDocument()
    expect(screen.queryByText(/Your payment went through/)).not.toBeInTheDocument()
    expect(screen.getByRole('link', { name: 'See the plan' })).toHaveAttribute('href', '/pricing')
  })

  it('names the plan that is not active', async () => {
    openConfirmation(() =>
      server.get('/api/subscriptions', [aSubscription({ status: 'past_due' })]),
    )
    expect(await screen.findByText(/Your Monthly Plan is past due/)).toBeInTheDocument()
    expect(screen.getByRole('heading', { name: 'No active plan found' })).toBeInTheDocument()
  })

  const checkout = {
    sessionId: 'cs_test_1',
    status: 'complete',
    isPaid: true,
    stripeSubscriptionId: 'sub_1TYh6mK2vLm',
    url: null,
  }
  const openFromCheckout = (changes: object, subscriptions: readonly Subscription[] = []) =>
    openConfirmation(() => {
      server.get('/api/payments', nothingYet)
      server.get('/api/subscriptions', subscriptions)
      server.get('/api/checkout-sessions/:sessionId', { ...checkout, ...changes })
    }, '/payment-success?session_id=cs_test_1')

  it('says after a checkout that the plan is set up, and then that it runs', async () => {
    openFromCheckout({})
    expect(
      await screen.findByRole('heading', { name: 'Your plan is being set up' }),
    ).toBeInTheDocument()
    expect(screen.getByText('Your payment went through the hosted checkout.')).toBeInTheDocument()
    server.get('/api/subscriptions', [aSubscription()])
    expect(await screen.findByText(/Your plan is running/, {}, { timeout: 5_000 })).toBeVisible()
    expect(screen.getByRole('heading', { name: 'Subscription Activated!' })).toBeInTheDocument()
  })

  it.each([
    ['waits for its payment', { isPaid: false }, 'Your payment is being processed'],
    [
      'is still open',
      { status: 'open', url: 'https://pay.example/1' },
      'Your payment is not complete',
    ],
    ['has expired', { status: 'expired' }, 'Your payment is not complete'],
  ])('says so of a checkout that %s', async (_what, changes, heading) => {
    openFromCheckout(changes)
    expect(await screen.findByRole('heading', { name: heading })).toBeInTheDocument()
    expect(screen.queryByText(/Your payment went through/)).not.toBeInTheDocument()
    if ('url' in changes)
      expect(screen.getByRole('link', { name: 'Continue to payment' })).toHaveAttribute(
        'href',
        changes.url,
      )
  })

  it('says of an old checkout that its plan is not active any more', async () => {
    openFromCheckout({}, [aSubscription({ status: 'canceled' })])
    expect(await screen.findByRole('heading', { name: 'No active plan found' })).toBeInTheDocument()
  })

  it('follows the account if the address names no checkout', async () => {
    openConfirmation(
      () => server.get('/api/checkout-sessions/:sessionId', refusal(404, { error: 'Not yours' })),
      '/payment-success?session_id=',
    )
    expect(await screen.findByText(/Your plan is running/)).toBeInTheDocument()
  })

  it.each([
    ['plan that is not active', { status: 'past_due' }, [aSubscription({ status: 'past_due' })]],
    ['purchase of another customer', null, []],
  ])('names no next payment step below a %s', async (_what, found, subscriptions) => {
    openConfirmation(
      () => {
        server.get('/api/subscriptions', subscriptions)
        if (found === null)
          server.get('/api/checkout-sessions/:sessionId', refusal(404, { error: 'Not yours' }))
      },
      `/payment-success${found === null ? '?session_id=cs_test_2' : ''}`,
    )
    await screen.findByRole('heading', { name: /^(No active plan found|This purchase is not)/ })
    expect(screen.queryByText('You pay for a plan in the hosted checkout.')).toBeNull()
  })

  it('shows nothing of the own plan below the checkout of another customer', async () => {
    openConfirmation(
      () => server.get('/api/checkout-sessions/:sessionId', refusal(404, { error: 'Not yours' })),
      '/payment-success?session_id=cs_test_2',
    )
    expect(
      await screen.findByRole('heading', { name: 'This purchase is not in your account' }),
    ).toBeInTheDocument()
    expect(screen.queryByRole('heading', { name: 'Payment Details' })).not.toBeInTheDocument()
    expect(screen.queryByText('Not yours')).not.toBeInTheDocument()
  })

  it.each([
    [
      'paid',
      aSubscription({ related_payment_id: 'in_1TbQ8x' }),
      39,
      /\$39\.00 went through on March 3/,
    ],
    ['free', aSubscription({ related_payment_id: 'in_1TbQ8x' }), 0, /There was nothing to pay/],
    ['a trial', aSubscription({ status: 'trialing' }), 39, /first payment follows on April 3/],
    ['not confirmed', aSubscription(), 39, /The provider is confirming your payment/],
  ])('says how a plan that is %s was paid', async (_what, subscription, amount_total, text) => {
    openConfirmation(() => {
      server.get('/api/payments', aPaymentsResponse({ payments: [aPayment({ amount_total })] }))
      server.get('/api/subscriptions', [subscription])
    })
    expect(await screen.findByText(text)).toBeInTheDocument()
  })

  it('names the day on which the onboarding ends, and what to prepare', async () => {
    openConfirmation()
    expect(
      await screen.findByText('Wednesday, March 11, 2026, 9:12 AM Eastern time'),
    ).toBeInTheDocument()
    const next = within(screen.getByRole('region', { name: 'What happens next' }))
    expect(next.getByText(/Monday to Friday, 9 AM to 5 PM Eastern time/)).toBeInTheDocument()
    expect(next.getByText(/A list of your open invoices/)).toBeInTheDocument()
  })

  it('shows the next steps and a link to the landing page', async () => {
    const { user, path } = openConfirmation()
    const next = within(await screen.findByRole('region', { name: 'What happens next' }))
    expect(next.getByText(/48 business hours/)).toBeInTheDocument()
    expect(next.getByRole('link', { name: 'account dashboard' })).toHaveAttribute(
      'href',
      '/purchases',
    )
    expect(next.getByRole('link', { name: 'support@example.com' })).toHaveAttribute(
      'href',
      'mailto:support@example.com',
    )
    localStorage.clear()
    await user.click(next.getByRole('link', { name: 'Return to Home' }))
    await waitFor(() => expect(path()).toBe('/'))
  })
})

describe('the cache entry of GET /api/payments', () => {
  /** Only the date is fake: the age of a cache entry does not depend on the machine's speed. */
  beforeEach(() => {
    jest.useFakeTimers({
      now: new Date(today),
      doNotFake: [
        'hrtime',
        'nextTick',
        'performance',
        'queueMicrotask',
        'requestAnimationFrame',
        'cancelAnimationFrame',
        'requestIdleCallback',
        'cancelIdleCallback',
        'setImmediate',
        'clearImmediate',
        'setInterval',
        'clearInterval',
        'setTimeout',
        'clearTimeout',
      ],
    })
  })
  afterEach(() => void jest.useRealTimers())

  const answerPurchasesPage = () => {
    server.get('/api/auth/session', { ...session, now: today })
    server.get('/api/subscription-changes/:userId', { changes: [aChange()] })
  }
  const requests = () => server.sentTo('/api/payments').length

  async function openBothPages(secondsBetween: number) {
    const { user } = openConfirmation(answerPurchasesPage)
    await screen.findByRole('heading', { name: 'Payment Details' })
    await screen.findByRole('heading', { name: 'Subscription Details' })
    expect(requests()).toBe(1)
    jest.setSystemTime(Date.parse(today) + secondsBetween * 1000)
    await user.click(screen.getByRole('link', { name: 'account dashboard' }))
    await screen.findByRole('region', { name: 'Active Plan' })
  }

  it('serves /purchases without a second request after the confirmation page', async () => {
    await openBothPages(29)
    await screen.findByRole('region', { name: 'Plan Change History' })
    expect(requests()).toBe(1)
  })

  it('is refetched by /purchases if it is 30 s old', async () => {
    await openBothPages(30)
    await waitFor(() => expect(requests()).toBe(2))
  })

  it('is refetched by the confirmation page after its sync', async () => {
    localStorage.setItem('userEmail', email)
    answerPurchasesPage()
    server.get('/api/payments', nothingYet)
    openPage('/purchases')
    await screen.findByRole('region', { name: 'No Active Subscription' })
    cleanup()
    openConfirmation()
    expect(await screen.findByRole('heading', { name: 'Payment Details' })).toBeInTheDocument()
    const [sync, ...fetches] = server.calls.map(({ path }) => path).slice(-3)
    expect(sync).toBe('/api/billing/sync')
    expect(fetches.sort()).toEqual(['/api/payments', '/api/subscriptions'])
  })

  it('is refetched if the browser restores /purchases from its back/forward cache', async () => {
    localStorage.setItem('userEmail', email)
    answerPurchasesPage()
    server.get('/api/payments', aPaymentsResponse())
    openPage('/purchases')
    await screen.findByRole('region', { name: 'Active Plan' })
    server.get('/api/payments', nothingYet)
    fireEvent(window, new PageTransitionEvent('pageshow', { persisted: true }))
    expect(
      await screen.findByRole('region', { name: 'No Active Subscription' }),
    ).toBeInTheDocument()
  })
})
