import { describe, expect, it } from '@jest/globals'
import { act, screen, waitFor } from '@testing-library/react'
import { answerKnownCustomer, email, session } from './support/auth-answers.ts'
import { refusal, startApiServer, unreachable } from './support/api-server.ts'
import { fillProfile } from './support/fill-profile.ts'
import { left, openPage, preload } from './support/open-page.tsx'
import { enter } from './support/fill-in.ts'

preload(
  () => import('../../web/features/auth/login-dialog.tsx'),
  () => import('../../web/app/purchases-route.tsx'),
)

const server = startApiServer()

const checkoutUrl = 'http://localhost:3001/checkout/cs_1'

const monthly = {
  id: 'monthly',
  name: 'Monthly Plan',
  price: 39,
  totalPrice: 39,
  currency: 'usd',
  accounts: 'Unlimited',
  interval: 'month',
  stripePriceId: 'price_monthly',
  stripeProductId: 'prod_1',
  features: {
    accounts: 'Unlimited',
    emailSmsReminders: 'Unlimited',
    feeOnCustomerPayments: '5%',
    customerPaymentRouting: 'Direct to your account',
    useYourOwnPaymentPortal: true,
    preBuiltTemplates: true,
    customBranding: true,
    clientPortalAccess: false,
    performanceDashboard: true,
    clientSupport: true,
  },
}

function answerCheckout() {
  server.get('/api/plans', { plans: [monthly] })
  server.post('/api/create-checkout-session', { sessionId: 'cs_1', url: checkoutUrl })
}

async function openPricing() {
  const { user } = openPage('/pricing')
  const button = await screen.findByRole('button', { name: 'Subscribe Now' })
  return { user, button }
}

const signIn = () => localStorage.setItem('userEmail', email)

describe('Subscribe Now', () => {
  it('opens the profile if the customer has none, and then continues the purchase', async () => {
    signIn()
    answerCheckout()
    server.post(
      '/api/create-checkout-session',
      refusal(409, { error: 'Please complete your profile.', field: 'profile' }),
    )
    const { user, button } = await openPricing()
    await user.click(button)
    await screen.findByRole('dialog', { name: 'Complete Your Profile' })
    expect(screen.queryByText('Please complete your profile.')).toBeNull()
    fillProfile()
    await user.click(screen.getByRole('checkbox'))
    server.get('/api/auth/session', session)
    server.post('/api/auth/complete-signup', { userId: 'user-1', isVerified: true })
    answerCheckout()
    await user.click(screen.getByRole('button', { name: 'Complete Signup' }))
    await waitFor(() => expect(left.to).toEqual([checkoutUrl]))
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it('is released if the customer closes the profile', async () => {
    signIn()
    answerCheckout()
    server.post('/api/create-checkout-session', refusal(409, { field: 'profile' }))
    const { user, button } = await openPricing()
    await user.click(button)
    await screen.findByRole('dialog', { name: 'Complete Your Profile' })
    await user.keyboard('{Escape}')
    await waitFor(() => expect(button).toBeEnabled())
    expect(left.to).toEqual([])
  })

  it('sends a signed-in customer to the checkout with the plan as shown', async () => {
    signIn()
    answerCheckout()
    const { user, button } = await openPricing()
    await user.click(button)
    await waitFor(() => expect(left.to).toEqual([checkoutUrl]))
    expect(server.sentTo('/api/create-checkout-session')).toEqual([
      {
        email,
        priceId: 'price_monthly',
        planDetails: {
          id: 'monthly',
          accounts: 'Unlimited',
          price: '39',
          name: 'Monthly Plan',
          totalPrice: '39',
          features: [
            'accounts: Unlimited',
            'emailSmsReminders: Unlimited',
            'feeOnCustomerPayments: 5%',
            'customerPaymentRouting: Direct to your account',
            'useYourOwnPaymentPortal',
            'preBuiltTemplates',
            'customBranding',
            'performanceDashboard',
            'clientSupport',
          ],
          interval: 'month',
          stripeProductId: 'prod_1',
        },
      },
    ])
  })

  it('is disabled while the browser leaves, and enabled after Back restores the page', async () => {
    signIn()
    answerCheckout()
    const { user, button } = await openPricing()
    await user.click(button)
    await waitFor(() => expect(left.to).toHaveLength(1))
    expect(button).toHaveAttribute('aria-disabled', 'true')
    expect(button).toHaveAttribute('aria-busy', 'true')
    const shownAgain = Object.assign(new Event('pageshow'), { persisted: true })
    act(() => void window.dispatchEvent(shownAgain))
    expect(button).not.toHaveAttribute('aria-disabled')
  })

  it('opens the login for a visitor, and the purchase continues after it without a reload', async () => {
    answerCheckout()
    answerKnownCustomer(server)
    const { user, button } = await openPricing()
    await user.click(button)
    await enter(user, await screen.findByLabelText('Email'), email)
    await user.type(await screen.findByLabelText('Verification code'), '407192{Enter}')
    await waitFor(() => expect(left.to).toEqual([checkoutUrl]))
    expect(left.reloads).toBe(0)
    expect(screen.getByRole('button', { name: `Account menu of ${email}` })).toBeVisible()
  })

  it('continues after a sign-up', async () => {
    answerCheckout()
    answerKnownCustomer(server)
    server.post('/api/auth/check-user', { isNewUser: true })
    server.post('/api/auth/complete-signup', { userId: 'user-1', isVerified: false })
    const { user, button } = await openPricing()
    await user.click(button)
    await enter(user, await screen.findByLabelText('Email'), email)
    await screen.findByLabelText('Full name')
    fillProfile()
    await user.click(screen.getByRole('checkbox'))
    await user.click(screen.getByRole('button', { name: 'Complete Signup' }))
    await user.type(await screen.findByLabelText('Verification code'), '407192{Enter}')
    await waitFor(() => expect(left.to).toEqual([checkoutUrl]))
  })

  it('continues from the landing page after a login that completes a missing profile', async () => {
    answerCheckout()
    answerKnownCustomer(server)
    const verified = { isVerified: true, isCustomer: false, needsProfileUpdate: true }
    server.post('/api/auth/verify-otp', verified)
    server.post('/api/auth/complete-signup', { userId: 'user-1', isVerified: true })
    const { user, path } = openPage('/')
    await user.click(await screen.findByRole('button', { name: 'Subscribe Now' }))
    await enter(user, await screen.findByLabelText('Email'), email)
    await user.type(await screen.findByLabelText('Verification code'), '407192{Enter}')
    await screen.findByRole('dialog', { name: 'Complete Your Profile' })
    fillProfile()
    await user.click(screen.getByRole('checkbox'))
    await user.click(screen.getByRole('button', { name: 'Complete Signup' }))
    await waitFor(() => expect(left.to).toEqual([checkoutUrl]))
    expect(path()).toBe('/')
    expect(server.sentTo('/api/auth/request-otp')).toHaveLength(1)
    expect(localStorage.getItem('businessName')).toBe('Birchwood Dental Group')
  })

  it('is enabled again when the login is closed', async () => {
    const { user, button } = await openPricing()
    await user.click(button)
    await screen.findByRole('dialog')
    expect(button).toHaveAttribute('aria-disabled', 'true')
    await user.keyboard('{Escape}')
    expect(button).not.toHaveAttribute('aria-disabled')
    expect(server.calls).toEqual([])
  })

  it('opens the login when the session has ended, and deletes the stored values', async () => {
    signIn()
    answerCheckout()
    server.post('/api/create-checkout-session', refusal(401, { error: 'You need to be logged in' }))
    const { user, button } = await openPricing()
    await user.click(button)
    const dialog = await screen.findByRole('dialog', { name: 'Log in or sign up' })
    expect(dialog).toHaveTextContent('Your session has ended. Log in to continue.')
    expect(localStorage.getItem('userEmail')).toBeNull()
  })

  it('opens the login only once if the session is refused again', async () => {
    answerCheckout()
    answerKnownCustomer(server)
    server.post('/api/create-checkout-session', refusal(401, { error: 'You need to be logged in' }))
    const { user, button } = await openPricing()
    await user.click(button)
    await enter(user, await screen.findByLabelText('Email'), email)
    await user.type(await screen.findByLabelText('Verification code'), '407192{Enter}')
    expect(await screen.findByText('You need to be logged in')).toBeVisible()
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(button).toBeEnabled()
  })

  it.each([
    [
      'the customer has a live subscription',
      refusal(409, { error: 'You already have an active subscription' }),
      'You already have an active subscription',
    ],
    [
      'the server refuses without a sentence',
      refusal(500, {}),
      'Failed to create checkout session',
    ],
    ['the answer has no URL', { sessionId: 'cs_1' }, 'Failed to create checkout session'],
    ['the network is down', unreachable, 'Failed to initiate payment. Please try again.'],
  ])('shows a toast if %s', async (_when, answer, text) => {
    signIn()
    answerCheckout()
    server.post('/api/create-checkout-session', answer)
    const { user, button } = await openPricing()
    await user.click(button)
    expect(await screen.findByRole('alert')).toHaveTextContent(text)
    expect(button).toBeEnabled()
    expect(left.to).toEqual([])
  })

  it('does nothing for a plan that is not sold', async () => {
    signIn()
    server.get('/api/plans', { plans: [] })
    const { user, button } = await openPricing()
    await user.click(button)
    await waitFor(() => expect(button).toBeEnabled())
    expect(screen.queryByRole('alert')).toBeNull()
    expect(server.sentTo('/api/create-checkout-session')).toEqual([])
  })

  it('sends a new idempotency key with every click', async () => {
    signIn()
    answerCheckout()
    server.post('/api/create-checkout-session', refusal(500, {}))
    const { user, button } = await openPricing()
    await user.click(button)
    await screen.findByRole('alert')
    await user.click(button)
    await waitFor(() => expect(server.sentTo('/api/create-checkout-session')).toHaveLength(2))
    const keys = server.calls
      .filter(({ path }) => path === '/api/create-checkout-session')
      .map(({ headers }) => headers.get('idempotency-key'))
    expect(new Set(keys).size).toBe(2)
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
  })
})
