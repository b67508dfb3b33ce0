import { describe, expect, it } from '@jest/globals'
import { screen, waitFor } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { answerKnownCustomer, email } from './support/auth-answers.ts'
import { refusal, startApiServer } from './support/api-server.ts'
import { left, openPage, preload } from './support/open-page.tsx'
import { aSubscription } from './support/purchases-data.ts'

preload(
  () => import('../../web/features/auth/login-dialog.tsx'),
  () => import('../../web/features/portal-link/portal-link-page.tsx'),
)

const server = startApiServer()

const portal = 'https://provider.example/portal/1'
const unauthorized = refusal(401, { error: 'You need to be logged in' })
const pastDue = aSubscription({ status: 'past_due' })

const portalPath = '/api/create-customer-portal-session'

/** Answers the calls of a customer with these subscriptions. */
function answer(subscriptions: readonly ReturnType<typeof aSubscription>[]) {
  answerKnownCustomer(server)
  server.get('/api/subscriptions', subscriptions)
  server.post(portalPath, { url: portal, since: 7 })
}

async function logIn(user: UserEvent, address = email) {
  await user.type(await screen.findByLabelText('Email'), `${address}{Enter}`)
  await user.type(await screen.findByLabelText('Verification code'), '407192{Enter}')
}

describe('the link of a payment reminder', () => {
  it('leads a visitor through the login to the payment method of the unpaid plan', async () => {
    answer([aSubscription({ status: 'canceled', id: 'sub_former' }), pastDue])
    const { user } = openPage('/update-card')
    expect(await screen.findByRole('dialog')).toHaveTextContent(
      'Log in to continue to your payment method.',
    )
    await logIn(user)
    await waitFor(() => expect(left.to).toEqual([portal]))
    expect(server.sentTo(portalPath)).toEqual([
      {
        email,
        subscriptionId: pastDue.subscription_id,
        action: 'payment_method',
        returnUrl: '/purchases?portal=return',
      },
    ])
    expect(left.reloads).toBe(0)
  })

  it('leads a signed-in customer to the payment method without a click', async () => {
    localStorage.setItem('userEmail', email)
    answer([pastDue])
    openPage('/update-card')
    await waitFor(() => expect(left.to).toEqual([portal]))
    expect(server.sentTo(portalPath)).toHaveLength(1)
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  it.each([
    ['subscriptions', '/api/subscriptions'],
    ['portal', portalPath],
  ])('continues after the login if the call of the %s finds no session', async (_what, path) => {
    localStorage.setItem('userEmail', email)
    answer([pastDue])
    if (path === '/api/subscriptions') server.get(path, unauthorized)
    else server.post(path, unauthorized)
    const { user } = openPage('/update-card')
    expect(await screen.findByRole('dialog')).toHaveTextContent(
      'Your session has ended. Log in to continue.',
    )
    answer([pastDue])
    await logIn(user)
    await waitFor(() => expect(left.to).toEqual([portal]))
  })

  it('stays at its address if the login is closed, with a button for it', async () => {
    answer([pastDue])
    const { user, path } = openPage('/update-card')
    await screen.findByLabelText('Email')
    await user.click(screen.getByRole('button', { name: 'Close' }))
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(path()).toBe('/update-card')
    await user.click(screen.getByRole('button', { name: 'Log in' }))
    await logIn(user)
    await waitFor(() => expect(left.to).toEqual([portal]))
  })

  it('tells an account whose payments are paid so, and changes its card on request', async () => {
    localStorage.setItem('userEmail', email)
    answer([aSubscription()])
    const { user } = openPage('/update-card')
    expect(
      await screen.findByText(
        `The plan of ${email} has no unpaid payment. If the message was for another account, log in with its e-mail address.`,
      ),
    ).toBeInTheDocument()
    expect([server.sentTo(portalPath), left.to]).toEqual([[], []])
    await user.click(screen.getByRole('button', { name: 'Change the card' }))
    await waitFor(() => expect(left.to).toEqual([portal]))
  })

  it.each(['/update-card', '/manage-plan'])(
    'tells an account without a plan so at %s, and continues with another account',
    async (address) => {
      localStorage.setItem('userEmail', 'eve@example.com')
      answer([aSubscription({ status: 'canceled' })])
      const { user } = openPage(address)
      expect(await screen.findByText(/^eve@example.com has no plan\. If the/)).toBeInTheDocument()
      expect(left.to).toEqual([])
      answer([pastDue])
      await user.click(screen.getByRole('button', { name: 'Use another e-mail' }))
      await logIn(user)
      await waitFor(() => expect(left.to).toEqual([portal]))
    },
  )

  it('shows why the portal cannot be opened, and tries again', async () => {
    localStorage.setItem('userEmail', email)
    answer([pastDue])
    server.post(portalPath, refusal(403, { error: 'Your account is blocked.' }))
    const { user } = openPage('/update-card')
    expect(await screen.findByText('Your account is blocked.')).toBeInTheDocument()
    answer([pastDue])
    await user.click(screen.getByRole('button', { name: 'Retry' }))
    await waitFor(() => expect(left.to).toEqual([portal]))
  })

  it('tries again if the subscriptions cannot be loaded', async () => {
    localStorage.setItem('userEmail', email)
    answer([pastDue])
    server.get('/api/subscriptions', refusal(500, {}))
    const { user } = openPage('/update-card')
    await user.click(await screen.findByRole('button', { name: 'Retry' }))
    answer([pastDue])
    await user.click(await screen.findByRole('button', { name: 'Retry' }))
    await waitFor(() => expect(left.to).toEqual([portal]))
  })
})

it.each([
  ['/update-card?card=expires', 'payment_method'],
  ['/manage-plan', 'manage'],
])('%s opens the portal of a paid plan: %s', async (address, action) => {
  localStorage.setItem('userEmail', email)
  answer([aSubscription()])
  openPage(address)
  await waitFor(() => expect(left.to).toEqual([portal]))
  expect(server.sentTo(portalPath)).toMatchObject([{ action }])
})

it('an address in the query of the link is ignored', async () => {
  localStorage.setItem('userEmail', email)
  answer([pastDue])
  openPage('/update-card?returnUrl=https://evil.example&next=//evil.example&subscriptionId=sub_x')
  await waitFor(() => expect(left.to).toEqual([portal]))
  expect(JSON.stringify(server.sentTo(portalPath))).not.toMatch(/evil|sub_x/)
})
