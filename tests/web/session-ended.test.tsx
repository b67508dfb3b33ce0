import { describe, expect, it } from '@jest/globals'
import { act, screen, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { aReceipt } from '../support/data/receipts.ts'
import { endSession } from '../../web/lib/session-values.ts'
import { aUser, pageOf, summary } from './support/admin-data.ts'
import { answerKnownCustomer, email, owner, session } from './support/auth-answers.ts'
import { refusal, startApiServer } from './support/api-server.ts'
import { left, openPage, preload } from './support/open-page.tsx'
import { anAccount } from './support/account-data.ts'
import { aPaymentsResponse, aSubscription, today } from './support/purchases-data.ts'
import { enter } from './support/fill-in.ts'

preload(
  () => import('../../web/features/auth/login-dialog.tsx'),
  () => import('../../web/app/purchases-route.tsx'),
  () => import('../../web/app/receipt-route.tsx'),
  () => import('../../web/features/profile/profile-page.tsx'),
  () => import('../../web/features/confirmation/confirmation-page.tsx'),
  () => import('../../web/features/admin/admin-page.tsx'),
)

const server = startApiServer()

const ended = 'Your session has ended. Log in to continue.'
const unauthorized = refusal(401, { error: 'You need to be logged in' })

/** Answers as the server does without a session (`signedOut`), or with one. */
function answerPages(signedOut: boolean) {
  answerKnownCustomer(server)
  server.get('/api/auth/session', { ...session, now: today })
  server.get('/api/payments', signedOut ? unauthorized : aPaymentsResponse())
  server.get('/api/subscription-changes/:userId', signedOut ? unauthorized : { changes: [] })
  server.get('/api/checkout-sessions/:sessionId', {
    sessionId: 'cs_1',
    status: 'complete',
    isPaid: true,
    stripeSubscriptionId: null,
    url: null,
  })
  server.get('/api/subscriptions', signedOut ? unauthorized : [aSubscription()])
  server.post('/api/billing/sync', signedOut ? unauthorized : { hasLiveSubscription: true })
  server.get('/api/profile', signedOut ? unauthorized : anAccount())
  server.get('/api/auth/sessions', signedOut ? unauthorized : { sessions: [] })
  server.get('/api/receipts/:receiptId', signedOut ? unauthorized : aReceipt())
}

/** Opens a customer's page after the session has ended on the server. */
function openEnded(address: string) {
  localStorage.setItem('userEmail', email)
  localStorage.setItem('businessName', 'Birchwood Dental Group')
  answerPages(true)
  return openPage(address)
}

const dialog = () => screen.findByRole('dialog', { name: 'Log in or sign up' })

async function logIn(user: UserEvent) {
  answerPages(false)
  await enter(user, await screen.findByLabelText('Email'), email)
  await user.type(await screen.findByLabelText('Verification code'), '407192{Enter}')
}

/** What this tab receives if another tab changes a stored value. */
function changedInOtherTab(key: string, newValue: string | null) {
  if (newValue === null) localStorage.removeItem(key)
  else localStorage.setItem(key, newValue)
  act(() => void window.dispatchEvent(new StorageEvent('storage', { key, newValue })))
}

describe('a customer whose session has ended', () => {
  it.each([
    ['/purchases?from=mail#history', { name: /^Transaction History/ }, 'region'],
    ['/receipts/payment_1?copy=2', { name: 'Receipt' }, 'article'],
    ['/payment-success?session_id=cs_1', { name: 'Payment Details' }, 'heading'],
    ['/profile', { name: 'Company profile' }, 'region'],
  ] as const)(
    'logs in over %s and sees its content at the same address',
    async (address, name, role) => {
      const { user, path, search } = openEnded(address)
      expect(await dialog()).toHaveTextContent(ended)
      expect(Object.keys(localStorage)).toEqual([])
      await logIn(user)
      expect(await screen.findByRole(role, name)).toBeInTheDocument()
      expect(screen.queryByRole('dialog')).toBeNull()
      const [, hash = ''] = path().split('#')
      expect(path().replace(`#${hash}`, '') + search() + (hash && `#${hash}`)).toBe(address)
      expect([left.to, left.reloads]).toEqual([[], 0])
      expect(localStorage.getItem('userEmail')).toBe(email)
    },
  )

  it('who closes the login can open it again, and finds what was typed', async () => {
    localStorage.setItem('userEmail', email)
    answerPages(false)
    const { user, path } = openPage('/profile')
    await user.type(await screen.findByLabelText('Address'), ', Suite 9')
    const typed = screen.getByLabelText<HTMLInputElement>('Address').value
    changedInOtherTab('userEmail', null)
    await dialog()
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(path()).toBe('/profile')
    expect(screen.queryByRole('textbox', { name: 'Address' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Log in' }))
    await enter(user, within(await dialog()).getByLabelText('Email'), email)
    await user.type(await screen.findByLabelText('Verification code'), '407192{Enter}')
    expect(await screen.findByRole('textbox', { name: 'Address' })).toHaveValue(typed)
  })

  it('gets the login again after a reload of the page', async () => {
    sessionStorage.setItem('customerSessionEnded', 'true')
    const { path } = openPage('/purchases')
    expect(await dialog()).toHaveTextContent(ended)
    expect(path()).toBe('/purchases')
    expect(server.calls).toEqual([])
  })

  it('sees nothing of the account before, after a sign-in to another account', async () => {
    localStorage.setItem('userEmail', email)
    answerPages(false)
    const { user } = openPage('/purchases')
    await screen.findByText('Birchwood Dental Group', { selector: 'dd *' })
    changedInOtherTab('userEmail', null)
    await dialog()
    answerPages(false)
    server.get('/api/payments', refusal(503, { error: 'Later' }))
    await enter(user, await screen.findByLabelText('Email'), 'rosa@delmontecpa.example')
    await user.type(await screen.findByLabelText('Verification code'), '407192{Enter}')
    await screen.findByRole('region', { name: 'Your purchases could not be loaded' })
    expect(screen.queryByText('Birchwood Dental Group')).toBeNull()
  })

  it('who completes a missing profile after the code keeps the address', async () => {
    const { user, path } = openEnded('/purchases')
    await dialog()
    answerPages(false)
    const verified = { isVerified: true, isCustomer: false, needsProfileUpdate: true }
    server.post('/api/auth/verify-otp', verified)
    await enter(user, screen.getByLabelText('Email'), email)
    await user.type(await screen.findByLabelText('Verification code'), '407192{Enter}')
    expect(await screen.findByRole('dialog', { name: 'Complete Your Profile' })).toBeVisible()
    await user.keyboard('{Escape}')
    expect(path()).toBe('/purchases')
    expect(await screen.findByRole('region', { name: 'Active Plan' })).toBeInTheDocument()
  })
})

describe('a logout in another tab', () => {
  it('opens the login in this tab, and a sign-in there closes it', async () => {
    localStorage.setItem('userEmail', email)
    answerPages(false)
    const { path } = openPage('/purchases')
    await screen.findByRole('region', { name: 'Active Plan' })
    changedInOtherTab('userEmail', null)
    expect(await dialog()).toHaveTextContent(ended)
    changedInOtherTab('userEmail', email)
    expect(await screen.findByRole('region', { name: 'Active Plan' })).toBeInTheDocument()
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(path()).toBe('/purchases')
    expect(sessionStorage.getItem('customerSessionEnded')).toBeNull()
  })
})

describe('an administrator whose session has ended', () => {
  it('logs in on the same page and returns to the same view', async () => {
    localStorage.setItem('adminAuthenticated', 'true')
    server.get('/api/auth/session', { ...session, ...owner, now: today })
    server.get('/api/admin/summary', refusal(401, { error: 'Log in as an administrator first.' }))
    server.get('/api/admin/users', refusal(401, { error: 'Log in as an administrator first.' }))
    const view = '?q=dana&sort=email&order=asc'
    const { user, path, search } = openPage(`/admin/dashboard${view}`)
    expect(await screen.findByText(ended)).toBeVisible()
    expect(localStorage.getItem('adminAuthenticated')).toBeNull()
    server.post('/api/admin/login', { isAdmin: true })
    server.get('/api/admin/summary', summary)
    server.get('/api/admin/users', pageOf([]))
    await user.type(screen.getByLabelText('Password'), 'right{Enter}')
    await screen.findByText('No users found matching your search criteria')
    expect([path(), search()]).toEqual(['/admin/dashboard', view])
    const asked = server.calls.filter((call) => call.path === '/api/admin/users').at(-1)
    expect(asked?.search).toContain('sort=email&order=asc')
  })

  it('finds an open dialog with its typed text after the next login', async () => {
    localStorage.setItem('adminAuthenticated', 'true')
    server.get('/api/auth/session', { ...session, ...owner, now: today })
    server.get('/api/admin/summary', summary)
    server.get('/api/admin/users', pageOf([aUser()]))
    const { user } = openPage('/admin/dashboard')
    await user.click(await screen.findByRole('button', { name: /^Block / }))
    const dialog = await screen.findByRole('dialog')
    const reason = within(dialog).queryByRole('textbox')
    if (reason !== null) await user.type(reason, 'Chargebacks')
    act(() => endSession('admin'))
    expect(await screen.findByText(ended)).toBeVisible()
    expect(screen.queryByRole('dialog')).toBeNull()
    server.post('/api/admin/login', { isAdmin: true })
    await user.type(screen.getByLabelText('Password'), 'right{Enter}')
    const again = await screen.findByRole('dialog')
    expect(again).toBe(dialog)
    if (reason !== null) expect(reason).toHaveValue('Chargebacks')
  })

  it('logs in over a receipt and sees the receipt', async () => {
    localStorage.setItem('adminAuthenticated', 'true')
    server.get('/api/receipts/:receiptId', unauthorized)
    const { user, path } = openPage('/receipts/payment_1')
    expect(await screen.findByText(ended)).toBeVisible()
    server.post('/api/admin/login', { isAdmin: true })
    server.get('/api/receipts/:receiptId', aReceipt())
    await user.type(screen.getByLabelText('Password'), 'right{Enter}')
    expect(await screen.findByRole('article', { name: 'Receipt' })).toBeInTheDocument()
    expect(path()).toBe('/receipts/payment_1')
  })
})
