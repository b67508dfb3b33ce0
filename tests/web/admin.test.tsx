import { describe, expect, it, jest } from '@jest/globals'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, type JsonBodyType } from 'msw'
import { aSenderName, aSending, aUser, pageOf, summary } from './support/admin-data.ts'
import { owner, session } from './support/auth-answers.ts'
import { refusal, startApiServer, unreachable } from './support/api-server.ts'
import { openPage, preload } from './support/open-page.tsx'
import { aChange, aSubscription, today } from './support/purchases-data.ts'
import { installMatchMedia } from './support/window-size.ts'

preload(
  () => import('../../web/features/admin/tabs/block-dialog.tsx'),
  () => import('../../web/features/admin/tabs/override-dialog.tsx'),
)
preload(() => import('../../web/features/admin/admin-page.tsx'))

const server = startApiServer()

const dana = aUser()
const rosa = aUser({
  user_id: 'usr_2',
  email: 'rosa@delmontecpa.example',
  blocked: true,
  user_type: 1,
  active_plans: 0,
  latest_expiration: null,
  total_spent: 0,
})

/**
 * Opens the dashboard of a signed-in administrator. `changeAnswers` replaces answers before the
 * page opens.
 */
function openDashboard(changeAnswers: () => void = () => {}, address = '/admin/dashboard') {
  localStorage.setItem('adminAuthenticated', 'true')
  server.get('/api/auth/session', { ...session, ...owner, now: today })
  server.get('/api/admin/summary', summary)
  server.get('/api/admin/users', pageOf([dana, rosa], { total: 60 }))
  server.get('/api/subscriptions/:userId', [aSubscription()])
  server.get('/api/admin/users/:userId/sending', aSending())
  server.get('/api/admin/users/:userId/sender-name', aSenderName())
  server.get('/api/admin/subscription-changes', { changes: [aChange()] })
  changeAnswers()
  return openPage(address)
}

/** An answer that the server sends when the test calls `release`. */
function held(json: JsonBodyType) {
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  const answer = async () => {
    await released
    return HttpResponse.json(json)
  }
  return { answer, release: () => release() }
}

/** The requests for the users list, oldest first. */
const userRequests = () =>
  server.calls
    .filter(({ path }) => path === '/api/admin/users')
    .map(({ search }) => Object.fromEntries(new URLSearchParams(search)))

const lastUserRequest = () => userRequests().at(-1)

const defaultQuery = { page: '1', pageSize: '20', sort: 'created_at', order: 'desc', status: 'all' }

const card = (name: string) => screen.getByRole('heading', { name }).parentElement!

describe('the admin login', () => {
  it('opens at /admin', async () => {
    const { path } = openPage('/admin')
    expect(await screen.findByRole('heading', { name: 'Admin Login' })).toBeInTheDocument()
    expect(path()).toBe('/admin/dashboard')
    expect(server.calls).toEqual([])
  })

  it.each([
    ['a wrong password', refusal(401, { error: 'Invalid password' }), 'Invalid password'],
    ['a wrong password without a sentence from the server', refusal(401, {}), 'Invalid password'],
    ['a lost connection', unreachable, 'Login failed'],
    [
      'too many tries',
      refusal(429, { error: 'Too many tries. Wait 15 minutes.' }),
      'Too many tries. Wait 15 minutes.',
    ],
  ])('shows the error after %s', async (_case, answer, text) => {
    server.post('/api/admin/login', answer)
    const { user } = openPage('/admin/dashboard')
    await user.type(await screen.findByLabelText('Password'), 'guess{Enter}')
    expect(await within(screen.getByRole('alert')).findByText(text)).toBeInTheDocument()
    expect(localStorage.getItem('adminAuthenticated')).toBeNull()
  })

  it('opens the dashboard after the right password', async () => {
    const { user } = openDashboard(() => {
      localStorage.clear()
      server.post('/api/admin/login', { isAdmin: true })
    })
    await user.type(await screen.findByLabelText('Password'), 'right')
    await user.click(screen.getByRole('button', { name: 'Login' }))
    expect(await screen.findByRole('heading', { name: 'Admin dashboard' })).toBeInTheDocument()
    expect(server.sentTo('/api/admin/login')).toEqual([{ password: 'right' }])
    expect(localStorage.getItem('adminAuthenticated')).toBe('true')
  })

  it('asks a named administrator for the address and the mailed code', async () => {
    const { user } = openDashboard(() => {
      localStorage.clear()
      server.post('/api/admin/login', { isAdmin: false, next: 'email' })
    })
    await user.type(await screen.findByLabelText('Password'), 'right{Enter}')
    await screen.findByRole('heading', { name: 'Your e-mail' })
    server.post('/api/admin/login', { isAdmin: false, next: 'code' })
    await user.type(await screen.findByLabelText('E-mail address'), 'ada@example.com{Enter}')
    await screen.findByRole('heading', { name: 'Enter the code' })
    server.post('/api/admin/login/code', refusal(400, { error: 'The code is wrong.' }))
    await user.type(screen.getByLabelText('Code'), '111111{Enter}')
    expect(await within(screen.getByRole('alert')).findByText('The code is wrong.')).toBeVisible()
    expect(localStorage.getItem('adminAuthenticated')).toBeNull()
    server.post('/api/admin/login/code', { isAdmin: true })
    await user.click(screen.getByRole('button', { name: 'Login' }))
    expect(await screen.findByRole('heading', { name: 'Admin dashboard' })).toBeInTheDocument()
    expect(server.sentTo('/api/admin/login')).toEqual([
      { password: 'right' },
      { password: 'right', email: 'ada@example.com' },
    ])
    expect(server.sentTo('/api/admin/login/code').at(-1)).toEqual({
      email: 'ada@example.com',
      code: '111111',
    })
  })

  it('hides the password, accepts a paste, and sends it exactly as entered', async () => {
    server.post('/api/admin/login', refusal(401, {}))
    const { user } = openPage('/admin/dashboard')
    const field = await screen.findByLabelText('Password')
    expect(field).toHaveAttribute('type', 'password')
    expect(field).toHaveAttribute('autocomplete', 'current-password')
    await user.click(field)
    await user.paste('  Grüße 世界 A ')
    await user.keyboard('{Enter}')
    await screen.findByRole('alert')
    expect(server.sentTo('/api/admin/login')).toEqual([{ password: '  Grüße 世界 A ' }])
  })

  it('appears again when the session has ended', async () => {
    openDashboard(() => server.get('/api/admin/summary', refusal(401, { error: 'Sign in' })))
    expect(await screen.findByRole('heading', { name: 'Admin Login' })).toBeInTheDocument()
  })

  it('appears after Logout, also if the server cannot be reached', async () => {
    const { user } = openDashboard(() => server.post('/api/admin/logout', unreachable))
    await user.click(await screen.findByRole('button', { name: 'Logout' }))
    expect(await screen.findByRole('heading', { name: 'Admin Login' })).toBeInTheDocument()
    expect(localStorage.getItem('adminAuthenticated')).toBeNull()
  })
})

describe('the summary cards', () => {
  it('show the course of each total, and open its events', async () => {
    openDashboard()
    await screen.findByRole('heading', { name: 'Total Users' })
    expect(
      within(card('Total Revenue')).getByRole('img', {
        name: 'Total Revenue since Feb 1, 2026: from $38,120 to $41,309',
      }),
    ).toBeInTheDocument()
    expect(within(card('Total Revenue')).getByRole('link')).toHaveAttribute(
      'href',
      '/admin/events?total=totalRevenue',
    )
    expect(within(card('Verified Users')).getByRole('link')).toHaveAttribute(
      'href',
      '/admin/events?total=verified',
    )
  })

  it('fold away on phones, and stay as they were left', async () => {
    installMatchMedia(390)
    const { user } = openDashboard()
    const figures = await screen.findByText('1,284 users, $41,309 revenue')
    const details = figures.closest('details')
    expect(details).not.toHaveAttribute('open')
    await user.click(figures)
    expect(details).toHaveAttribute('open')
    await waitFor(() => expect(localStorage.getItem('adminFigures')).toBe('open'))
    // The browser reports the opening later, and React renders it after that.
    await screen.findByRole('heading', { name: 'Total Users' })
    expect(card('Total Users')).toHaveTextContent('1,284')
    installMatchMedia(1440)
  })

  it('say that a lost dispute still counts, if there is one', async () => {
    openDashboard(() => server.get('/api/admin/summary', { ...summary, lostDisputes: 1 }))
    await screen.findByRole('heading', { name: 'Total Users' })
    expect(card('Total Revenue')).toHaveTextContent('Lost disputes still count')
  })

  it('show users, plans and revenue', async () => {
    openDashboard()
    await screen.findByRole('heading', { name: 'Total Users' })
    expect(card('Total Users')).toHaveTextContent('1,284')
    expect(card('Active Users')).toHaveTextContent('1,271')
    expect(card('Total Revenue')).toHaveTextContent('$41,309')
    expect(card('Total Revenue')).toHaveTextContent('€12.50')
    expect(card('Total Revenue')).not.toHaveTextContent('Lost disputes')
    expect(card('Active Plans')).toHaveTextContent('412')
    expect(card('Active Subscriptions')).toHaveTextContent('397')
    expect(card('Email Only Users')).toHaveTextContent('318Only entered email, not verified')
    expect(card('With Company')).toHaveTextContent('146Entered email and created company')
    expect(card('Verified Users')).toHaveTextContent('371Verified with OTP')
    expect(card('Paying Customers')).toHaveTextContent('449Completed a purchase')
    expect(card('Total Refunds')).toHaveTextContent('37$1,182.40 returned in total€4.50')
    expect(card('Refund Breakdown')).toHaveTextContent(
      '31 successfulFull (F) 18Partial (P) 12Proration (Pr) 7',
    )
  })

  it('show a failed request and load again on Retry, while the users stay visible', async () => {
    const { user } = openDashboard(() =>
      server.get('/api/admin/summary', refusal(500, { error: 'Something broke' })),
    )
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'Failed to fetch data. Please try refreshing the page.',
    )
    expect(screen.getByText('Failed to fetch summary: 500')).toBeInTheDocument()
    expect(await screen.findByText(dana.email)).toBeInTheDocument()
    server.get('/api/admin/summary', summary)
    await user.click(screen.getByRole('button', { name: 'Retry' }))
    expect(await screen.findByRole('heading', { name: 'Total Users' })).toBeInTheDocument()
  })
})

describe('Refresh', () => {
  it('reloads all data and shows a toast', async () => {
    const { user } = openDashboard()
    await screen.findByText(dana.email)
    const later = held({ ...summary, totalUsers: 1285 })
    server.get('/api/admin/summary', later.answer)
    server.get('/api/admin/users', pageOf([aUser({ email: 'new@birchwooddental.example' })]))
    const refresh = screen.getByRole('button', { name: 'Refresh' })
    await user.click(refresh)
    expect(screen.getByText('Refreshing data...')).toBeInTheDocument()
    expect(refresh).toHaveAttribute('aria-disabled', 'true')
    expect(refresh).toHaveFocus()
    later.release()
    expect(await screen.findByText('Data refreshed successfully')).toBeInTheDocument()
    expect(screen.queryByText('Refreshing data...')).not.toBeInTheDocument()
    expect(refresh).not.toHaveAttribute('aria-disabled')
    expect(refresh).toHaveFocus()
    expect(card('Total Users')).toHaveTextContent('1,285')
    expect(screen.getByText('new@birchwooddental.example')).toBeInTheDocument()
  })

  it('shows an error toast if one request fails', async () => {
    const { user } = openDashboard()
    await screen.findByText(dana.email)
    server.get('/api/admin/users', refusal(503, { error: 'Not ready' }))
    await user.click(screen.getByRole('button', { name: 'Refresh' }))
    expect(await screen.findByText('Failed to refresh data')).toBeInTheDocument()
    expect(screen.queryByText('Data refreshed successfully')).not.toBeInTheDocument()
  })
})

describe('the users table', () => {
  it('shows user, active plans and total spent', async () => {
    openDashboard()
    const row = (await screen.findByText(dana.email)).closest('tr')
    expect(row).toHaveTextContent('ActiveMar 14, 20251Apr 3, 2026$494.20Block')
    expect(screen.getByText(rosa.email).closest('tr')).toHaveTextContent(
      'BlockedMar 14, 20250None$0.00Unblock',
    )
    expect(screen.getByText('1 to 20 of 60')).toBeInTheDocument()
    expect(lastUserRequest()).toEqual(defaultQuery)
  })

  it('shows a text if no user matches', async () => {
    openDashboard(() => server.get('/api/admin/users', pageOf([])))
    expect(
      await screen.findByText('No users found matching your search criteria'),
    ).toBeInTheDocument()
  })

  it('shows a failed request below the filters and loads again on Retry', async () => {
    const { user } = openDashboard(() =>
      server.get('/api/admin/users', refusal(500, { error: 'Something broke' })),
    )
    expect(await screen.findByText('Failed to fetch users: 500')).toBeInTheDocument()
    expect(screen.getByRole('textbox', { name: 'Search users' })).toBeInTheDocument()
    server.get('/api/admin/users', pageOf([dana]))
    await user.click(screen.getByRole('button', { name: 'Retry' }))
    expect(await screen.findByText(dana.email)).toBeInTheDocument()
  })

  it('requests a search after a pause in typing', async () => {
    openDashboard()
    await screen.findByText(dana.email)
    const field = screen.getByPlaceholderText('Search by email, plan ID, or plan name...')
    // Fake timers: on a busy machine, the real time between two keys may exceed the pause.
    jest.useFakeTimers()
    try {
      for (const typed of [' ', ' d', ' de', ' den', ' dent', ' denta', ' dental', ' dental ']) {
        fireEvent.change(field, { target: { value: typed } })
        act(() => jest.advanceTimersByTime(200))
      }
      act(() => jest.advanceTimersByTime(100))
    } finally {
      jest.useRealTimers()
    }
    await waitFor(() => expect(lastUserRequest()).toEqual({ ...defaultQuery, search: 'dental' }))
    expect(userRequests()).toHaveLength(2)
  })

  it('requests the filters for status and user type', async () => {
    const { user } = openDashboard()
    await screen.findByText(dana.email)
    await user.click(screen.getByText('Blocked Users'))
    await waitFor(() => expect(lastUserRequest()).toEqual({ ...defaultQuery, status: 'blocked' }))
    await user.click(screen.getByRole('combobox', { name: 'User type' }))
    await user.click(await screen.findByText('Verified (3)'))
    await waitFor(() =>
      expect(lastUserRequest()).toEqual({ ...defaultQuery, status: 'blocked', userType: '3' }),
    )
  })

  it('requests the sorting of a pressed column header', async () => {
    const { user } = openDashboard()
    await screen.findByText(dana.email)
    const header = screen.getByRole('columnheader', { name: /Total Spent/ })
    await user.click(header)
    await waitFor(() =>
      expect(lastUserRequest()).toEqual({ ...defaultQuery, sort: 'total_spent', order: 'asc' }),
    )
    await user.click(header)
    await waitFor(() =>
      expect(lastUserRequest()).toEqual({ ...defaultQuery, sort: 'total_spent', order: 'desc' }),
    )
    expect(header).toHaveAttribute('aria-sort', 'descending')
  })

  it('keeps the rows of the previous page until the next page has loaded', async () => {
    const { user } = openDashboard()
    await screen.findByText(dana.email)
    const third = held(
      pageOf([aUser({ user_id: 'usr_3', email: 'third@page.example' })], { page: 3, total: 60 }),
    )
    server.get('/api/admin/users', third.answer)
    await user.click(screen.getByText('3'))
    await screen.findByText('Loading users...')
    expect(screen.getByText(dana.email)).toBeInTheDocument()
    third.release()
    expect(await screen.findByText('third@page.example')).toBeInTheDocument()
    expect(screen.queryByText(dana.email)).not.toBeInTheDocument()
    expect(lastUserRequest()).toEqual({ ...defaultQuery, page: '3' })
    expect(screen.getByText('41 to 60 of 60')).toBeInTheDocument()
  })

  it('returns to the first page when a filter changes', async () => {
    const { user } = openDashboard(() => {}, '/admin/dashboard?page=2&sort=email&order=asc')
    await screen.findByText(dana.email)
    expect(lastUserRequest()).toEqual({ ...defaultQuery, page: '2', sort: 'email', order: 'asc' })
    await user.click(screen.getByText('Active Users', { selector: '.ant-segmented-item-label' }))
    await waitFor(() =>
      expect(lastUserRequest()).toEqual({
        ...defaultQuery,
        sort: 'email',
        order: 'asc',
        status: 'active',
      }),
    )
  })

  it('ignores invalid values in the URL', async () => {
    openDashboard(() => {}, '/admin/dashboard?page=-1&sort=password&tab=users')
    await screen.findByText(dana.email)
    expect(lastUserRequest()).toEqual(defaultQuery)
  })

  it('expands a user: overview, current subscriptions and change history', async () => {
    const { user } = openDashboard()
    await user.click(await screen.findByRole('button', { name: `Details of ${dana.email}` }))
    const details = within(await screen.findByRole('row', { name: /Overview/ }))
    expect(details.getByText('Paying Customer')).toBeInTheDocument()
    expect(details.getByText('Birchwood Dental Group, Dental')).toBeInTheDocument()
    expect(details.getByText('12, 2 with open invoices')).toBeInTheDocument()
    expect(details.getByText('1,034')).toBeInTheDocument()
    expect(await details.findByText('$39.00/month')).toBeInTheDocument()
    expect(await details.findByText('Monthly Plan to Annual Plan')).toBeInTheDocument()
    expect(
      server.calls.find(({ path }) => path === '/api/admin/subscription-changes')?.search,
    ).toBe('?userId=usr_1')
  })

  it('shows that a user’s subscriptions cannot be loaded', async () => {
    const { user } = openDashboard(() =>
      server.get('/api/subscriptions/:userId', refusal(500, { error: 'Something broke' })),
    )
    await user.click(await screen.findByRole('button', { name: `Details of ${dana.email}` }))
    expect(await screen.findByText('Failed to load subscription data')).toBeInTheDocument()
    server.get('/api/subscriptions/:userId', [])
    await user.click(screen.getByRole('button', { name: 'Retry' }))
    expect(await screen.findByText('No active subscriptions found')).toBeInTheDocument()
  })

  it('stops the messages of a merchant with a reason, and allows them again', async () => {
    const { user } = openDashboard()
    await user.click(await screen.findByRole('button', { name: `Details of ${dana.email}` }))
    await user.click(await screen.findByRole('button', { name: 'Stop messages' }))
    const dialog = within(screen.getByRole('dialog', { name: 'Stop messages' }))
    const stop = dialog.getByRole('button', { name: 'Stop messages' })
    expect(stop).toBeDisabled()
    await user.type(dialog.getByLabelText('Reason'), 'Clients complain.')
    const path = '/api/admin/users/usr_1/sending'
    server.post(path, { message: 'All messages of the merchant are stopped.' })
    server.get(path, aSending({ stopped: { reason: 'Clients complain.', at: dana.created_at } }))
    await user.click(stop)
    expect(await screen.findByText('All messages of the merchant are stopped.')).toBeVisible()
    expect(server.sentTo(path)).toContainEqual({ type: 'stop', reason: 'Clients complain.' })
    expect(await screen.findByText('Clients complain.')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Allow messages' }))
    server.get(path, aSending())
    server.post(path, { message: 'The merchant may send messages again.' })
    const allow = within(screen.getByRole('dialog', { name: 'Allow messages' }))
    await user.click(allow.getByRole('button', { name: 'Allow messages' }))
    expect(await screen.findByRole('button', { name: 'Stop messages' })).toBeVisible()
    expect(server.sentTo(path)).toContainEqual({ type: 'allow' })
  })

  it('approves the name under which a merchant writes to its clients', async () => {
    const name = 'Birchwood of Duluth'
    const path = '/api/admin/users/usr_1/sender-name'
    const { user } = openDashboard(() =>
      server.get(path, aSenderName({ senderName: name, state: 'waits' })),
    )
    await user.click(await screen.findByRole('button', { name: `Details of ${dana.email}` }))
    await user.click(await screen.findByRole('button', { name: 'Approve' }))
    const dialog = within(screen.getByRole('dialog', { name: 'Approve the sender name' }))
    server.post(path, aSenderName({ senderName: name, state: 'approved' }))
    server.get(path, aSenderName({ senderName: name, state: 'approved' }))
    await user.click(dialog.getByRole('button', { name: 'Approve' }))
    expect(await screen.findByText(`${name}, approved`)).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Approve' })).toBeNull()
    expect(server.sentTo(path)).toContainEqual({ name })
  })

  it('limits how many clients a merchant messages in a day', async () => {
    const { user } = openDashboard()
    await user.click(await screen.findByRole('button', { name: `Details of ${dana.email}` }))
    await user.click(await screen.findByRole('button', { name: 'Change limits' }))
    const dialog = within(screen.getByRole('dialog', { name: 'Change limits' }))
    const change = dialog.getByRole('button', { name: 'Change limits' })
    const later = dialog.getByLabelText('Later')
    await user.clear(later)
    expect(change).toBeDisabled()
    await user.type(later, '5000')
    const path = '/api/admin/users/usr_1/sending'
    server.post(path, { message: 'The limits of the merchant are set.' })
    server.get(path, aSending({ limits: { firstWeek: 200, later: 5_000 } }))
    await user.click(change)
    expect(await screen.findByText('200 in the first week, 5,000 later')).toBeVisible()
    expect(server.sentTo(path)).toContainEqual({
      type: 'set-limits',
      limits: { firstWeek: 200, later: 5_000 },
    })
  })

  it('adds and updates the secondary e-mail of a user', async () => {
    const { user } = openDashboard(() =>
      server.post('/api/admin/update-user-email', {
        message: 'Secondary email updated successfully',
      }),
    )
    await user.click(await screen.findByRole('button', { name: `Details of ${dana.email}` }))
    const open = await screen.findByRole('button', { name: 'Add Secondary Email' })
    await user.click(open)
    const dialog = within(screen.getByRole('dialog', { name: 'Add Secondary Email' }))
    const add = dialog.getByRole('button', { name: 'Add Secondary Email' })
    expect(add).toBeDisabled()
    const email = 'accounts@birchwooddental.example'
    await user.type(dialog.getByLabelText('Secondary email'), email)
    server.get('/api/admin/users', pageOf([aUser({ secondary_email: email }), rosa]))
    await user.click(add)
    expect(await screen.findByText('Secondary email updated successfully')).toBeInTheDocument()
    expect(server.sentTo('/api/admin/update-user-email').at(0)).toEqual({
      userId: 'usr_1',
      email,
      type: 'secondary',
    })
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
    const update = await screen.findByRole('button', { name: 'Update Secondary Email' })
    expect(update).toHaveFocus()
    expect(screen.getByText(email)).toBeInTheDocument()
  })

  it.each([
    [
      refusal(409, { error: 'This e-mail address belongs to another account.' }),
      'This e-mail address belongs to another account.',
    ],
    [unreachable, 'Failed to update email'],
  ])('shows why a secondary e-mail was not set, and keeps the text (%#)', async (answer, text) => {
    const { user } = openDashboard(() => server.post('/api/admin/update-user-email', answer))
    await user.click(await screen.findByRole('button', { name: `Details of ${dana.email}` }))
    await user.click(await screen.findByRole('button', { name: 'Add Secondary Email' }))
    const dialog = within(screen.getByRole('dialog'))
    const field = dialog.getByLabelText('Secondary email')
    await user.type(field, 'taken@example.com{Enter}')
    expect(await dialog.findByText(text)).toBeInTheDocument()
    expect(field).toHaveValue('taken@example.com')
  })

  it('adds no style element, because the content security policy would refuse it', async () => {
    openDashboard()
    await screen.findByText(dana.email)
    expect(document.querySelectorAll('style')).toHaveLength(0)
  })
})
