import { describe, expect, it } from '@jest/globals'
import { screen } from '@testing-library/react'
import { HttpResponse } from 'msw'
import type { ReportedPoisonEvent } from '#contracts/admin/summary'
import { aUser, pageOf, summary } from './support/admin-data.ts'
import { email, owner, session } from './support/auth-answers.ts'
import { startApiServer } from './support/api-server.ts'
import { openPage, preload } from './support/open-page.tsx'
import { aPaymentsResponse, today } from './support/purchases-data.ts'

preload(() => import('../../web/features/admin/admin-page.tsx'))
preload(() => import('../../web/app/purchases-route.tsx'))

const server = startApiServer()

const parked: ReportedPoisonEvent = {
  places: ['users', 'purchases', 'controls'],
  waits: 'stream',
  stream: 'billing-usr_404',
  eventType: 'PaymentSucceeded',
  reason: 'User usr_404 has no AccountOpened before this event.',
  since: '2026-03-20T12:00:00.000Z',
  retries: [
    'billing projections retry users billing-usr_404',
    'billing projections retry purchases billing-usr_404',
    'billing controls retry usr_404',
  ],
}

function openDashboard(
  poisonEvents: readonly ReportedPoisonEvent[],
  poisonEventCount = poisonEvents.length,
) {
  localStorage.setItem('adminAuthenticated', 'true')
  server.get('/api/auth/session', { ...session, ...owner, now: today })
  server.get('/api/admin/summary', {
    ...summary,
    poisonEvents: [...poisonEvents],
    poisonEventCount,
  })
  server.get('/api/admin/users', pageOf([aUser()]))
  return openPage('/admin/dashboard')
}

describe('the dashboard', () => {
  it('names a parked stream, the reason and the command', async () => {
    openDashboard([parked], 3)
    const notice = await screen.findByRole('region', { name: 'Data that is behind' })
    expect(notice).toHaveTextContent('Some data below is not up to date')
    expect(notice).toHaveTextContent(
      'billing-usr_404 has waited in users, purchases, controls since Mar 20, 2026, 12:00:00 PM UTC, at PaymentSucceeded. It stops no other customer.',
    )
    expect(notice).toHaveTextContent('User usr_404 has no AccountOpened before this event.')
    expect(notice).toHaveTextContent(`an operator runs:${parked.retries.join(' ')}`)
    expect(notice).toHaveTextContent(
      '2 more: see billing projections status and billing controls parked.',
    )
  })

  it('names a read model that waits as a whole', async () => {
    openDashboard([{ ...parked, places: ['reports'], waits: 'all' }])
    const notice = await screen.findByRole('region', { name: 'Data that is behind' })
    expect(notice).toHaveTextContent('Some data below is not up to date')
    expect(notice).toHaveTextContent(
      'All rows of reports have waited since Mar 20, 2026, 12:00:00 PM UTC, at PaymentSucceeded of billing-usr_404.',
    )
  })

  it('shows nothing while all data is up to date', async () => {
    openDashboard([])
    expect(await screen.findByRole('heading', { name: 'Total Users' })).toBeInTheDocument()
    expect(screen.queryByRole('region', { name: 'Data that is behind' })).toBeNull()
  })
})

describe('a page of a customer', () => {
  const sentence =
    'Your data is saved, but this page does not show your latest changes yet. We are working on it.'

  function openPurchases(header: string | null) {
    localStorage.setItem('userEmail', email)
    server.get('/api/auth/session', { ...session, now: today })
    server.get('/api/payments', () =>
      HttpResponse.json(aPaymentsResponse(), {
        headers: header === null ? {} : { 'X-Own-Writes': header },
      }),
    )
    server.get('/api/subscription-changes/:userId', { changes: [] })
    server.post('/api/billing/sync', { hasLiveSubscription: true })
    return openPage('/purchases')
  }

  it('says that it is behind while the events of the customer are parked', async () => {
    openPurchases('parked')
    expect(await screen.findByText(sentence)).toBeInTheDocument()
    expect(await screen.findByRole('region', { name: 'Plan Change History' })).toBeInTheDocument()
  })

  it.each([null, 'pending'])('does not say so with the header %s', async (header) => {
    openPurchases(header)
    expect(await screen.findByRole('region', { name: 'Plan Change History' })).toBeInTheDocument()
    expect(screen.queryByText(sentence)).toBeNull()
  })
})
