import { describe, expect, it } from '@jest/globals'
import { screen } from '@testing-library/react'
import { maxResends } from '#contracts/auth'
import { aUser, pageOf, summary } from './support/admin-data.ts'
import { answerKnownCustomer, email, owner, session } from './support/auth-answers.ts'
import { startApiServer } from './support/api-server.ts'
import { openPage, preload } from './support/open-page.tsx'
import { aPaymentsResponse, today } from './support/purchases-data.ts'

preload(() => import('../../web/features/admin/admin-page.tsx'))
preload(() => import('../../web/app/purchases-route.tsx'))
preload(() => import('../../web/features/auth/login-dialog.tsx'))

const server = startApiServer()
const inboxUrl = 'http://localhost:3001/inbox'

// A type, because an interface is no JSON to the compiler.
type SandboxFacts = Readonly<{ inboxUrl: string | null; isClockAhead: boolean }>

async function openDashboard(sandbox?: SandboxFacts) {
  localStorage.setItem('adminAuthenticated', 'true')
  server.get('/api/auth/session', {
    ...session,
    ...owner,
    now: today,
    ...(sandbox && { sandbox }),
  })
  server.get('/api/admin/summary', summary)
  server.get('/api/admin/users', pageOf([aUser()]))
  openPage('/admin/dashboard')
  await screen.findByRole('heading', { name: 'Total Users' })
}

async function openPurchases(sandbox?: SandboxFacts) {
  localStorage.setItem('userEmail', email)
  server.get('/api/auth/session', { ...session, now: today, ...(sandbox && { sandbox }) })
  server.get('/api/payments', aPaymentsResponse())
  server.get('/api/subscription-changes/:userId', { changes: [] })
  server.post('/api/billing/sync', { hasLiveSubscription: true })
  openPage('/purchases')
  await screen.findByRole('heading', { name: 'Active Plan' })
}

describe('the console', () => {
  it('links to the inbox of the sandbox', async () => {
    await openDashboard({ inboxUrl, isClockAhead: false })
    expect(await screen.findByText(/^Sandbox: no card is charged\./)).toBeVisible()
    expect(screen.getByRole('link', { name: 'inbox' })).toHaveAttribute('href', inboxUrl)
  })

  it('says which day a clock ahead shows', async () => {
    await openDashboard({ inboxUrl: null, isClockAhead: true })
    expect(
      await screen.findByText('Sandbox: its clock shows March 21, 2026. Dates here follow it.'),
    ).toBeVisible()
    expect(screen.queryByRole('link', { name: 'inbox' })).toBeNull()
  })

  it('says nothing of a sandbox with real keys', async () => {
    await openDashboard()
    expect(screen.queryByText(/sandbox/i)).toBeNull()
  })
})

describe('Purchase History', () => {
  it('says which day a clock ahead shows, and otherwise nothing', async () => {
    await openPurchases({ inboxUrl, isClockAhead: true })
    expect(await screen.findByText(/^Sandbox: its clock shows March 21, 2026\./)).toBeVisible()
  })

  it.each([[undefined], [{ inboxUrl, isClockAhead: false }]])(
    'says nothing if its dates are those of the calendar: %j',
    async (sandbox) => {
      await openPurchases(sandbox)
      expect(screen.queryByText(/sandbox/i)).toBeNull()
    },
  )
})

describe('the login dialog', () => {
  const reachCode = async () => {
    const { user } = openPage('/pricing')
    await user.click(await screen.findByRole('button', { name: 'Login' }))
    await user.type(await screen.findByLabelText('Email'), email)
    await user.click(screen.getByRole('button', { name: 'Send Code' }))
    await screen.findByRole('heading', { name: 'Enter the code' })
  }

  it('links to the mails of the address in the inbox of the sandbox', async () => {
    answerKnownCustomer(server)
    const address = `${inboxUrl}?to=${encodeURIComponent(email)}`
    const answer = { userId: 'user-1', resendsLeft: maxResends, resendAfterSeconds: 60 }
    server.post('/api/auth/request-otp', { ...answer, inboxUrl: address })
    await reachCode()
    expect(screen.getByText(/^Sandbox: the code is in the/)).toBeVisible()
    expect(screen.getByRole('link', { name: 'inbox' })).toHaveAttribute('href', address)
  })

  it('names no inbox with a real mail server', async () => {
    answerKnownCustomer(server)
    await reachCode()
    expect(screen.queryByText(/sandbox/i)).toBeNull()
  })
})
