import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
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
  it('shows the business name, the payment and the subscription', async () => {
    openConfirmation()
    expect(
      await screen.findByRole('heading', { name: 'Subscription Activated!' }),
    ).toBeInTheDocument()
    expect(screen.getByText(/Birchwood Dental Group/)).toBeInTheDocument()
    expect(screen.getByText('Loading details...')).toBeInTheDocument()
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
    const payments = [aPayment({ payment_status: 'processing', payment_method: null })]
    openConfirmation(() => server.get('/api/payments', aPaymentsResponse({ payments })))
    await screen.findByRole('heading', { name: 'Payment Details' })
    expect(screen.getByText('processing')).toBeInTheDocument()
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

  it('sends no request without a stored e-mail', async () => {
    openPage('/payment-success')
    expect(
      await screen.findByText(/Your account details were sent to your e-mail address/),
    ).toBeInTheDocument()
    expect(screen.queryByText(/Loading details/)).not.toBeInTheDocument()
    expect(server.calls).toEqual([])
  })

  it('claims no running plan and no payment without a sign of a purchase', async () => {
    openPage('/payment-success')
    expect(await screen.findByText(/has found no active plan yet/)).toBeInTheDocument()
    expect(screen.getByRole('heading', { name: 'Subscription Activated!' })).toBeInTheDocument()
    expect(screen.queryByText(/Your plan is running/)).not.toBeInTheDocument()
    expect(screen.queryByText(/Your payment went through/)).not.toBeInTheDocument()
  })

  it('claims no running plan if the account had a plan and has none now', async () => {
    openConfirmation(() => {
      server.get('/api/subscriptions', [aSubscription({ status: 'canceled' })])
    })
    expect(await screen.findByText(/has found no active plan yet/)).toHaveTextContent(
      'Thank you, Birchwood Dental Group. This page has found no active plan yet.',
    )
    expect(screen.queryByText(/Your payment went through/)).not.toBeInTheDocument()
  })

  it('says after a checkout that the plan is set up, and then that it runs', async () => {
    openConfirmation(() => {
      server.get('/api/payments', nothingYet)
      server.get('/api/subscriptions', [])
    }, '/payment-success?session_id=cs_test_1')
    expect(await screen.findByText(/Your plan is being set up/)).toBeInTheDocument()
    expect(screen.getByText(/Your payment went through/)).toBeInTheDocument()
    server.get('/api/subscriptions', [aSubscription()])
    expect(await screen.findByText(/Your plan is running/, {}, { timeout: 5_000 })).toBeVisible()
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
