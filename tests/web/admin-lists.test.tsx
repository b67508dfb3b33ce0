import { describe, expect, it, jest } from '@jest/globals'
import { act, fireEvent, renderHook, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse, type JsonBodyType } from 'msw'
import { MemoryRouter } from 'react-router-dom'
import type { z } from 'zod'
import { adminPaymentsQuery } from '#contracts/admin/payments'
import { adminUsersQuery } from '#contracts/admin/users'
import {
  aPayment,
  aPlan,
  aRefund,
  aSenderName,
  aSending,
  aUser,
  anEnquiry,
  pageOf,
  summary,
} from './support/admin-data.ts'
import { refusal, startApiServer, unreachable } from './support/api-server.ts'
import { consoleTabs } from '../../web/features/admin/console-tabs.ts'
import type { TabQuery } from '../../web/features/admin/table/list-tab.ts'
import { useListAddress } from '../../web/features/admin/table/use-console-address.ts'
import { isFull } from '../support/jest/is-full.ts'
import { endSession, sessionEndedText } from '../../web/lib/session-values.ts'
import { owner, session } from './support/auth-answers.ts'
import { left, openPage, preload } from './support/open-page.tsx'
import { aChange, aSubscription, today } from './support/purchases-data.ts'

preload(
  () => import('../../web/features/admin/tabs/block-dialog.tsx'),
  () => import('../../web/features/admin/tabs/override-dialog.tsx'),
)
preload(() => import('../../web/features/admin/admin-page.tsx'))

const server = startApiServer()

const tabs = [
  {
    tab: 'users',
    name: 'Users 1,284',
    list: 'users',
    what: 'users',
    row: aUser(),
    key: 'dana@birchwooddental.example',
    empty: 'No users found matching your search criteria',
    placeholder: 'Search by email, plan ID, or plan name...',
    statuses: ['All', 'Active Users', 'Blocked Users'],
  },
  {
    tab: 'payments',
    name: 'Payments 2,906',
    list: 'payments',
    what: 'payments',
    row: aPayment(),
    key: 'dana@birchwooddental.example',
    empty: 'No payments found matching your search criteria',
    placeholder: 'Search by email, plan ID, or plan name...',
    statuses: ['All', 'Active Plans', 'Expired Plans', 'Failed 12'],
  },
  {
    tab: 'active-plans',
    name: 'Active Plans 397',
    list: 'active-subscriptions',
    what: 'active subscriptions',
    row: aPlan(),
    key: 'dana@birchwooddental.example',
    empty: 'No active subscriptions found',
    placeholder: 'Search by user email, plan name, company...',
    statuses: ['All', 'Active', 'Trialing', 'Paused', 'Past Due 5'],
  },
  {
    tab: 'enquiries',
    name: 'Enquiries 64',
    list: 'enquiries',
    what: 'enquiries',
    row: anEnquiry(),
    key: 'Teo Lindqvist',
    empty: 'No enquiries found matching your search criteria',
    placeholder: 'Search by user email, plan name...',
    statuses: ['All', 'Open', 'In Progress', 'Closed'],
  },
  {
    tab: 'refunds',
    name: 'Refunds 37',
    list: 'refunds',
    what: 'refunds',
    row: aRefund(),
    key: 'dana@birchwooddental.example',
    empty: 'No refunds found matching your search criteria',
    placeholder: 'Search by user email, plan name, refund reason...',
    statuses: ['All', 'Succeeded', 'Pending', 'Failed'],
  },
] as const

it('the tests know each tab of the console', () => {
  expect(tabs.map(({ tab }) => tab)).toEqual(consoleTabs.map(({ name }) => name))
})

/** Opens the console with one row in each list. `changeAnswers` replaces answers before. */
function openConsole(address: string, changeAnswers: () => void = () => {}) {
  localStorage.setItem('adminAuthenticated', 'true')
  server.get('/api/auth/session', { ...session, ...owner, now: today })
  server.get('/api/admin/summary', summary)
  for (const { list, row } of tabs) server.get(`/api/admin/${list}`, pageOf([row]))
  server.get('/api/subscriptions/:userId', [aSubscription()])
  server.get('/api/admin/users/:userId/sending', aSending())
  server.get('/api/admin/users/:userId/sender-name', aSenderName())
  server.get('/api/admin/subscription-changes', { changes: [aChange()] })
  changeAnswers()
  return openPage(address)
}

const requestsFor = (list: string) =>
  server.calls
    .filter(({ path }) => path === `/api/admin/${list}`)
    .map(({ search }) => Object.fromEntries(new URLSearchParams(search)))

/** An answer that the server sends when the test calls `release`. */
function held(json: JsonBodyType) {
  let release = () => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  return {
    answer: async () => {
      await released
      return HttpResponse.json(json)
    },
    release: () => release(),
  }
}

const row = async (text: string) => within((await screen.findByText(text)).closest('tr')!)

describe.each(tabs)('the tab $tab', ({ tab, name, list, key, ...texts }) => {
  it('opens from its title, which shows a count, with its search, and sorts by each sortable column', async () => {
    const { user, search } = openConsole('/admin/dashboard?tab=refunds&status=failed')
    await user.click(await screen.findByRole('tab', { name }))
    expect(await screen.findByText(key)).toBeInTheDocument()
    expect(search()).toBe(tab === 'refunds' ? '?tab=refunds&status=failed' : tabSearch(tab))
    expect(screen.getByPlaceholderText(texts.placeholder)).toBeInTheDocument()
    const status = within(screen.getByRole('radiogroup', { name: 'Status' }))
    expect(status.getAllByRole('radio').map((it) => it.parentElement?.textContent)).toEqual(
      texts.statuses,
    )
    const headers = screen.getAllByRole('columnheader').filter((it) => it.tabIndex === 0)
    expect(headers.length).toBeGreaterThan(1)
    for (const header of isFull ? headers : headers.slice(0, 1)) {
      await user.click(header)
      const shown = new URLSearchParams(search())
      await waitFor(() =>
        expect(requestsFor(list).at(-1)).toMatchObject({
          sort: shown.get('sort') ?? 'created_at',
          order: shown.get('order') ?? 'desc',
        }),
      )
      await waitFor(() => expect(header).toHaveAttribute('aria-sort'))
    }
  })
})

// One component shows all lists: `npm test` has every state of one of them, and a column of each.
const inEachState = isFull ? tabs : tabs.slice(0, 1)

describe.each(inEachState)(
  'the tab $tab',
  ({ tab, name, list, what, row: item, key, ...texts }) => {
    const address = `/admin/dashboard?tab=${tab}`

    it('shows that it loads, then that no row matches, and has nothing to export', async () => {
      const empty = held(pageOf([]))
      const { user } = openConsole(address, () => server.get(`/api/admin/${list}`, empty.answer))
      await screen.findByText(`Loading ${what}...`)
      empty.release()
      expect(await screen.findByText(texts.empty)).toBeInTheDocument()
      expect(screen.queryByText(`Loading ${what}...`)).not.toBeInTheDocument()
      await user.click(screen.getByRole('button', { name: 'Export CSV' }))
      expect(await screen.findByText('No data to export')).toBeInTheDocument()
      expect(server.calls.filter(({ path }) => path.endsWith('/export'))).toEqual([])
    })

    it('shows a failed request in its panel, loads again on Retry, and shows the login when a refetch is refused', async () => {
      const { user } = openConsole(address, () =>
        server.get(`/api/admin/${list}`, refusal(503, { error: 'Not ready' })),
      )
      const alert = within(await screen.findByRole('alert'))
      expect(
        alert.getByText('Failed to fetch data. Please try refreshing the page.'),
      ).toBeInTheDocument()
      expect(alert.getByText(`Failed to fetch ${what}: 503`)).toBeInTheDocument()
      expect(alert.getByText('Not ready')).toBeInTheDocument()
      server.get(`/api/admin/${list}`, pageOf([item]))
      await user.click(alert.getByRole('button', { name: 'Retry' }))
      expect(await screen.findByText(key)).toBeInTheDocument()
      server.get(`/api/admin/${list}`, refusal(401, { error: 'Log in first.' }))
      await user.click(screen.getByRole('button', { name: 'Refresh' }))
      expect(await screen.findByRole('heading', { name: 'Admin Login' })).toBeInTheDocument()
      expect(screen.queryByText(key)).not.toBeInTheDocument()
    })

    it('shows a link’s page, size, filter and search, and exports the filtered rows', async () => {
      const link = `${address}&page=3&pageSize=50&status=all&search=den&order=asc`
      const { user } = openConsole(link, () => {
        server.get(`/api/admin/${list}`, pageOf([item], { page: 3, pageSize: 50, total: 101 }))
        server.get(
          `/api/admin/${list}/export`,
          () =>
            new HttpResponse('a,b\n1,2\n', {
              headers: { 'Content-Disposition': 'attachment; filename="rows.csv"' },
            }),
        )
      })
      await screen.findByText(key)
      expect(requestsFor(list)).toEqual([
        {
          page: '3',
          pageSize: '50',
          sort: 'created_at',
          order: 'asc',
          search: 'den',
          status: 'all',
        },
      ])
      expect(screen.getByPlaceholderText(texts.placeholder)).toHaveValue('den')
      expect(screen.getByText('101 to 101 of 101')).toBeInTheDocument()

      const exports = () => server.calls.filter(({ path }) => path.endsWith('/export'))
      for (const [at, format] of ['CSV', 'XLSX'].entries()) {
        const button = screen.getByRole('button', { name: `Export ${format}` })
        await user.click(button)
        const done = `${name.replace(/ [\d,]+$/, '')} exported successfully`
        // The toast of the first file may be gone when the second one is there.
        await waitFor(() => expect(left.files).toEqual(Array(at + 1).fill('rows.csv')))
        expect((await screen.findAllByText(done)).length).toBeGreaterThan(0)
        expect(Object.fromEntries(new URLSearchParams(exports()[at]?.search))).toEqual({
          format: format.toLowerCase(),
          sort: 'created_at',
          order: 'asc',
          search: 'den',
          status: 'all',
        })
      }
    })
  },
)

const tabSearch = (tab: string) => (tab === 'users' ? '' : `?tab=${tab}`)

/** What the console reads from a URL. `console` proves that it sends this to the API. */
function readAddress<Query extends TabQuery>(
  schema: z.ZodObject & z.ZodType<Query>,
  address: string,
): Query {
  const { result } = renderHook(() => useListAddress(schema), {
    wrapper: ({ children }) => <MemoryRouter initialEntries={[address]}>{children}</MemoryRouter>,
  })
  return result.current[0]
}

describe('the address of a list', () => {
  it.each(['9999', '10001', '1e9'])('limits page %s to the rows that the API reaches', (page) => {
    const read = readAddress(adminUsersQuery, `/admin/dashboard?page=${page}&pageSize=50`)
    expect(read).toMatchObject({ page: 200, pageSize: 50 })
  })

  it.each(['0', '-1', '1.5', 'two'])('has the first page for page %s', (page) => {
    const read = readAddress(adminUsersQuery, `/admin/dashboard?page=${page}&pageSize=100`)
    expect(read).toMatchObject({ page: 1, pageSize: 100 })
  })

  it('ignores each invalid value, and keeps the valid ones', () => {
    const address =
      '/admin/dashboard?tab=payments&pageSize=7&sort=email&order=up&status=expired&userType=4&search=den'
    expect(readAddress(adminPaymentsQuery, address)).toEqual({
      page: 1,
      pageSize: 20,
      sort: 'created_at',
      order: 'desc',
      search: 'den',
      status: 'expired',
    })
  })

  it('ignores a search that the API refuses', () => {
    const read = readAddress(adminPaymentsQuery, '/admin/dashboard?tab=payments&search=%00')
    expect(read.search).toBe(readAddress(adminPaymentsQuery, '/admin/dashboard').search)
  })
})

describe('the console', () => {
  it('opens the last page if a link names a later one', async () => {
    const { search } = openConsole('/admin/dashboard?page=9', () =>
      server.get('/api/admin/users', pageOf([], { page: 9, total: 25 })),
    )
    await waitFor(() => expect(search()).toBe('?page=2'))
    await waitFor(() => expect(requestsFor('users').at(-1)).toMatchObject({ page: '2' }))
  })

  it('offers 20, 50 and 100 rows a page, and begins at page 1', async () => {
    const { user, search } = openConsole('/admin/dashboard?page=2', () =>
      server.get('/api/admin/users', pageOf([aUser()], { page: 2, total: 60 })),
    )
    await screen.findByText('dana@birchwooddental.example')
    await user.click(screen.getByRole('combobox', { name: 'Rows per page' }))
    const options = document.querySelectorAll('.ant-select-item-option-content')
    expect([...options].map(({ textContent }) => textContent)).toEqual([
      '20 rows',
      '50 rows',
      '100 rows',
    ])
    await user.click(screen.getByText('100 rows'))
    await waitFor(() => expect(search()).toBe('?pageSize=100'))
  })

  it('focuses the search with /, and Escape clears it, then returns the focus', async () => {
    const { user, search } = openConsole('/admin/dashboard?search=den')
    const expand = await screen.findByRole('button', { name: /^Details of dana/ })
    expand.focus()
    const field = screen.getByRole('textbox', { name: 'Search users' })
    await user.keyboard('/')
    expect(field).toHaveFocus()
    expect(field).toHaveValue('den')
    await user.keyboard('{Escape}')
    expect(field).toHaveValue('')
    expect(field).toHaveFocus()
    await waitFor(() => expect(search()).toBe(''))
    await user.keyboard('{Escape}')
    expect(expand).toHaveFocus()
    await user.keyboard('/')
    await user.keyboard('a/b')
    expect(field).toHaveValue('a/b')
  })

  it('searches for the longest address, and refuses a longer text instead of cutting it', async () => {
    const { user, search } = openConsole('/admin/dashboard')
    const field = await screen.findByRole('textbox', { name: 'Search users' })
    await user.click(field)
    await user.paste('a'.repeat(255))
    expect(field).toHaveValue('a'.repeat(255))
    expect(field).toHaveAccessibleDescription('A search has 254 characters at most.')
    await user.type(field, '{Backspace}')
    await waitFor(() => expect(search()).toBe(`?search=${'a'.repeat(254)}`))
    expect(field).toBeValid()
  })

  it('does not focus the search while a dialog is open', async () => {
    const { user } = openConsole('/admin/dashboard')
    await user.click(await screen.findByRole('button', { name: /^Block dana/ }))
    await user.keyboard('/')
    expect(screen.getByRole('textbox', { name: 'Search users' })).not.toHaveFocus()
  })

  it('copies an id', async () => {
    const { user } = openConsole('/admin/dashboard?tab=active-plans')
    await user.click(await screen.findByRole('button', { name: 'Copy user id usr_1' }))
    expect(await screen.findByText('Copied')).toBeInTheDocument()
    expect(left.copied).toEqual(['usr_1'])
  })

  it('shows the exact time as the title of a day', async () => {
    openConsole('/admin/dashboard')
    expect(await screen.findByText('Mar 14, 2025')).toHaveAttribute(
      'title',
      'Mar 14, 2025, 10:00:00 AM UTC',
    )
  })
})

describe('on a phone', () => {
  it('every list expands a row to the columns that the row does not show', async () => {
    const { matchMedia } = window
    window.matchMedia = (query) =>
      Object.assign(matchMedia(query), { matches: query.includes('max-width') })
    try {
      const { user } = openConsole('/admin/dashboard?tab=refunds')
      await user.click(await screen.findByRole('button', { name: /^Details of refund re_3Tc/ }))
      const details = within(await screen.findByRole('region', { name: 'Details' }))
      for (const term of ['Plan', 'Reason', 'Refund Type', 'Payment ID', 'Original Amount'])
        expect(details.getByText(term)).toBeInTheDocument()
      expect(details.getByText('USD 39.00', { normalizer: withSpaces })).toBeInTheDocument()
    } finally {
      window.matchMedia = matchMedia
    }
  })
})

/** `Intl` writes a no-break space after the currency code. */
const withSpaces = (text: string) => text.replaceAll('\u00a0', ' ').trim()

describe('the payments', () => {
  it('show a payment', async () => {
    openConsole('/admin/dashboard?tab=payments')
    const payment = await row('dana@birchwooddental.example')
    expect(payment.getByText('Dana Whitlock')).toBeInTheDocument()
    expect(payment.getByText('9:12 AM')).toBeInTheDocument()
    expect(payment.getByText('Payment')).toBeInTheDocument()
    expect(payment.getByText('Completed')).toBeInTheDocument()
    expect(payment.getByText('Duluth, MN, US')).toBeInTheDocument()
    expect(payment.getByText('(218) 555-0147')).toBeInTheDocument()
    expect(payment.getByText('Visa ending 4242')).toBeInTheDocument()
    expect(payment.getByText('Expires 08/28')).toBeInTheDocument()
    expect(payment.getByText('Paid until Apr 3, 2026')).toBeInTheDocument()
    expect(payment.getByText('USD 39.00', { normalizer: withSpaces })).toBeInTheDocument()
    expect(payment.queryByText(/Subtotal|Negative/)).not.toBeInTheDocument()
    for (const address of ['dana@birchwooddental.example', 'help@birchwooddental.example'])
      expect(payment.getByText(address)).toHaveAttribute('href', `mailto:${address}`)
    expect(payment.getByRole('link', { name: 'Receipt of in_1TbQ8x' })).toHaveAttribute(
      'href',
      '/receipts/in_1TbQ8x',
    )
  })

  it('show a refund of an anonymous, blocked customer', async () => {
    openConsole('/admin/dashboard?tab=payments', () =>
      server.get(
        '/api/admin/payments',
        pageOf([
          aPayment({
            customer_name: null,
            support_email: 'dana@birchwooddental.example',
            support_phone: null,
            billing_address_line1: null,
            billing_city: null,
            billing_state: null,
            billing_country: null,
            amount_total: -19.5,
            amount_subtotal: -18,
            payment_method: null,
            card_expiry: null,
            expiration_date: null,
            user_blocked: true,
          }),
        ]),
      ),
    )
    const refund = await row('Anonymous')
    expect(refund.getByText('Refund')).toBeInTheDocument()
    expect(refund.getByText('USD 19.50', { normalizer: withSpaces })).toBeInTheDocument()
    expect(refund.getByText('(Negative)')).toBeInTheDocument()
    expect(refund.getByText('Subtotal USD 18.00', { normalizer: withSpaces })).toBeInTheDocument()
    expect(refund.queryByText('Card')).not.toBeInTheDocument()
    expect(refund.queryByText(/^Expires|^Paid until|^Support|Duluth/)).not.toBeInTheDocument()
    expect(screen.getByText('Anonymous').closest('tr')).toHaveClass('row-marked')
  })
})

describe('the active plans', () => {
  it('show a plan, and when the business clock bills it next', async () => {
    openConsole('/admin/dashboard?tab=active-plans')
    const plan = await row('Dana Whitlock')
    for (const text of ['Birchwood Dental Group', 'Monthly Plan', 'Active', 'to Apr 3, 2026'])
      expect(plan.getByText(text)).toBeInTheDocument()
    expect(await plan.findByText('in 13 days')).toBeInTheDocument()
    const manage = plan.getByRole('link', { name: /^Manage .* opens in a new tab/ })
    expect(manage).toHaveAttribute('target', '_blank')
    expect(manage).toHaveAttribute('href', '/api/portal/sub_1TYh6mK2vLm?action=manage')
    expect(plan.getByRole('link', { name: /^Cancel/ })).toHaveAttribute('target', '_blank')
  })

  it('show a plan without names and links, on trial and about to end', async () => {
    openConsole('/admin/dashboard?tab=active-plans', () =>
      server.get(
        '/api/admin/active-subscriptions',
        pageOf([
          aPlan({
            user_name: null,
            company_name: null,
            plan_name: '',
            status: 'trialing',
            cancel_at: '2026-04-03T09:12:00.000Z',
            manage_url: null,
            cancellation_url: null,
          }),
        ]),
      ),
    )
    const plan = await row('N/A')
    for (const text of ['Subscription Plan', 'Trialing', 'Cancels on Apr 3, 2026'])
      expect(plan.getByText(text)).toBeInTheDocument()
    expect(plan.queryByRole('link', { name: /^(Manage|Cancel)/ })).not.toBeInTheDocument()
  })

  it('shows until when the plan is paid if that is not the end of the period', async () => {
    const plans = [
      aPlan({ user_name: 'Late', paid_until: '2026-03-03T09:12:00.000Z' }),
      aPlan({ user_name: 'Never', subscription_id: 'sub_2', paid_until: null }),
    ]
    openConsole('/admin/dashboard?tab=active-plans', () =>
      server.get('/api/admin/active-subscriptions', pageOf(plans)),
    )
    expect((await row('Late')).getByText('Paid until Mar 3, 2026')).toBeInTheDocument()
    expect((await row('Never')).getByText('Not paid')).toBeInTheDocument()
  })

  it('filters by the interval, and the export names it', async () => {
    const { user, search } = openConsole('/admin/dashboard?tab=active-plans', () =>
      server.get('/api/admin/active-subscriptions/export', () => new HttpResponse('a\n')),
    )
    await user.click(await screen.findByRole('combobox', { name: 'Interval' }))
    await user.click(await screen.findByText('Six-Month'))
    expect(search()).toBe('?tab=active-plans&interval=six-month')
    await waitFor(() =>
      expect(requestsFor('active-subscriptions').at(-1)).toMatchObject({ interval: 'six-month' }),
    )
    await user.click(screen.getByRole('button', { name: 'Export CSV' }))
    expect(
      await screen.findByText('Active Plans Six-Month exported successfully'),
    ).toBeInTheDocument()
    await user.click(screen.getByRole('combobox', { name: 'Interval' }))
    await user.click(await screen.findByText('All Intervals'))
    expect(search()).toBe('?tab=active-plans')
  })
})

describe('the enquiries', () => {
  it.each([
    ['In Progress', 'inprogress'],
    ['Close', 'closed'],
  ])('the button %s sets the status %s', async (label, status) => {
    const { user } = openConsole('/admin/dashboard?tab=enquiries', () =>
      server.patch('/api/admin/enquiries/enq_1', { enquiry_id: 'enq_1', status }),
    )
    const button = await screen.findByRole('button', { name: new RegExp(`^${label}: the enq`) })
    server.get('/api/admin/enquiries', pageOf([anEnquiry({ status: 'closed' })]))
    await user.click(button)
    expect(await screen.findByText('Status updated successfully')).toBeInTheDocument()
    expect(server.sentTo('/api/admin/enquiries/enq_1')).toEqual([{ status }])
    expect(await screen.findByText('Closed', { selector: '.chip' })).toBeInTheDocument()
    expect(button).toHaveFocus()
  })

  it('show that a status was not set', async () => {
    const { user } = openConsole('/admin/dashboard?tab=enquiries', () =>
      server.patch('/api/admin/enquiries/enq_1', unreachable),
    )
    await user.click(await screen.findByRole('button', { name: /^Close: the enq/ }))
    expect(await screen.findByText('Failed to update status')).toBeInTheDocument()
  })
})

describe('the refunds', () => {
  it('show a refund', async () => {
    openConsole('/admin/dashboard?tab=refunds')
    const refund = await row('dana@birchwooddental.example')
    for (const text of ['Monthly Plan', 'Succeeded', 'Requested by customer', 'Partial'])
      expect(refund.getByText(text)).toBeInTheDocument()
    for (const id of ['in_1TbQ8x', 'sub_1TYh6mK2vLm'])
      expect(refund.getByText(id, { selector: '.id-full' })).toBeInTheDocument()
    expect(refund.queryByText(/^Provider/)).not.toBeInTheDocument()
  })

  it('show what the operator wrote on the credit note, and the provider’s status and the reason beside an override', async () => {
    const memo = 'For the days without reminders.'
    openConsole('/admin/dashboard?tab=refunds', () =>
      server.get(
        '/api/admin/refunds',
        pageOf([
          aRefund({ refund_id: 're_2', user_email: 'eli@example.com', reason: null, memo }),
          aRefund({
            status: 'failed',
            provider_status: 'requires_action',
            is_overridden: true,
            override_reason: 'The bank returned it.',
          }),
        ]),
      ),
    )
    const refund = await row('dana@birchwooddental.example')
    for (const text of ['Failed', 'Provider: requires action', 'The bank returned it.'])
      expect(refund.getAllByText(text).length).toBeGreaterThan(0)
    expect((await row('eli@example.com')).getByText(memo)).toBeInTheDocument()
  })

  it.each([
    ['Pending', 'The bank checks it.', { status: 'pending', reason: 'The bank checks it.' }],
    ['Failed', ' The bank returned it. ', { status: 'failed', reason: 'The bank returned it.' }],
  ])('the button %s asks for a reason and sets the status', async (label, reason, body) => {
    const { user } = openConsole('/admin/dashboard?tab=refunds', () =>
      server.patch('/api/admin/refunds/re_3Tc', {
        refund_id: 're_3Tc',
        status: body.status,
        provider_status: 'succeeded',
      }),
    )
    const button = await screen.findByRole('button', { name: new RegExp(`^${label}: refund`) })
    await user.click(button)
    const dialog = within(screen.getByRole('dialog', { name: `Set the refund to ${label}?` }))
    await user.click(dialog.getByLabelText('Reason'))
    await user.paste(reason)
    await user.click(dialog.getByRole('button', { name: `Set to ${label}` }))
    expect(await screen.findByText('Refund status updated successfully')).toBeInTheDocument()
    expect(server.sentTo('/api/admin/refunds/re_3Tc')).toEqual([body])
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
    expect(button).toHaveFocus()
  })

  it('keep a pasted reason that is too long, and say so', async () => {
    const { user } = openConsole('/admin/dashboard?tab=refunds')
    await user.click(await screen.findByRole('button', { name: /^Failed: refund/ }))
    const field = screen.getByLabelText('Reason')
    await user.click(field)
    await user.paste('a'.repeat(501))
    expect(field).toHaveValue('a'.repeat(501))
    await user.click(screen.getByRole('button', { name: 'Set to Failed' }))
    expect(field).toHaveAccessibleDescription('Reason has 500 characters at most.')
    expect(server.sentTo('/api/admin/refunds/re_3Tc')).toEqual([])
  })

  it('set no status without a reason: the dialog says so, with the focus on the field', async () => {
    const { user } = openConsole('/admin/dashboard?tab=refunds', () =>
      server.patch('/api/admin/refunds/re_3Tc', unreachable),
    )
    await user.click(await screen.findByRole('button', { name: /^Failed: refund/ }))
    const field = screen.getByLabelText('Reason')
    expect(field).toBeRequired()
    await user.type(field, '  ')
    await user.click(screen.getByRole('button', { name: 'Set to Failed' }))
    expect(field).toHaveAccessibleDescription('Reason is required.')
    expect(field).toHaveFocus()
    await user.type(field, 'Returned')
    expect(field).toBeValid()
    expect(server.sentTo('/api/admin/refunds/re_3Tc')).toEqual([])
  })

  it('show in the dialog that a status was not set, and keep the reason', async () => {
    const { user } = openConsole('/admin/dashboard?tab=refunds', () =>
      server.patch('/api/admin/refunds/re_3Tc', unreachable),
    )
    await user.click(await screen.findByRole('button', { name: /^Failed: refund/ }))
    const field = screen.getByLabelText('Reason')
    await user.type(field, 'Returned{Enter}')
    expect(await screen.findByText('Failed to update refund status')).toBeInTheDocument()
    expect(field).toHaveValue('Returned')
  })
})

describe('a failed attempt', () => {
  const failure = {
    attempt: 2,
    reason: 'insufficient_funds',
    outcome: 'open',
    next_attempt_at: '2026-03-06T09:12:00.000Z',
    recovered_at: null,
  } as const
  const failed = (
    changes: Partial<NonNullable<ReturnType<typeof aPayment>['failure']>>,
    at: number,
  ) =>
    aPayment({
      payment_id: `in_1TbQ8x_attempt_${at}`,
      customer_email: `owner${at}@example.com`,
      payment_status: 'failed',
      revenue: 0,
      expiration_date: null,
      failure: { ...failure, ...changes },
    })

  const attempts = [
    [{}, ['Failed', 'Attempt 2: Insufficient funds', 'Next attempt Mar 6, 2026']],
    [{ next_attempt_at: null }, ['Failed', 'No further attempt is planned']],
    [{ outcome: 'retried', next_attempt_at: null }, ['Failed', 'Tried again later']],
    [
      { outcome: 'recovered', recovered_at: '2026-03-07T09:12:00.000Z' },
      ['Failed', 'Recovered', 'Paid Mar 7, 2026'],
    ],
    [{ outcome: 'voided' }, ['Failed', 'Voided']],
    [{ outcome: 'uncollectible' }, ['Failed', 'Uncollectible']],
  ] as const

  it('shows its reason and what became of it', async () => {
    openConsole('/admin/dashboard?tab=payments&status=failed', () =>
      server.get(
        '/api/admin/payments',
        pageOf(attempts.map(([changes], at) => failed(changes, at))),
      ),
    )
    for (const [at, [, texts]] of attempts.entries()) {
      const attempt = await row(`owner${at}@example.com`)
      for (const text of texts) expect(attempt.getByText(text)).toBeInTheDocument()
      expect(attempt.queryByRole('link', { name: /^Receipt/ })).toBeNull()
    }
    expect(requestsFor('payments').at(0)).toMatchObject({ status: 'failed' })
  })
})

describe.each([
  ['payments', aPayment({ user_blocked: true })],
  ['active-plans', aPlan({ user_blocked: true })],
  ['enquiries', anEnquiry({ user_blocked: true })],
  ['refunds', aRefund({ user_blocked: true })],
] as const)('a row of a blocked user in %s', (tab, item) => {
  it('carries the chip', async () => {
    const { list } = tabs.find((each) => each.tab === tab)!
    openConsole(`/admin/dashboard?tab=${tab}`, () =>
      server.get(`/api/admin/${list}`, pageOf([item])),
    )
    expect((await screen.findByText('Blocked')).closest('tr')).toHaveClass('row-marked')
  })
})

describe('the days of a list', () => {
  it.each(['payments', 'enquiries', 'refunds'])(
    'limit %s, in the URL and in exports',
    async (tab) => {
      const { user, search } = openConsole(`/admin/dashboard?tab=${tab}`, () =>
        server.get(`/api/admin/${tab}/export`, () => new HttpResponse('a')),
      )
      const from = await screen.findByLabelText('From, a day in UTC')
      fireEvent.change(from, { target: { value: '0202-03-01' } })
      fireEvent.change(from, { target: { value: '2026-03-01' } })
      fireEvent.change(screen.getByLabelText('To, a day in UTC'), {
        target: { value: '2026-03-09' },
      })
      const days = { from: '2026-03-01', to: '2026-03-09' }
      await waitFor(() => expect(requestsFor(tab).at(-1)).toMatchObject(days))
      expect(search()).toBe(`?tab=${tab}&from=2026-03-01&to=2026-03-09`)
      await user.click(screen.getByRole('button', { name: 'Export CSV' }))
      await waitFor(() => expect(requestsFor(`${tab}/export`).at(-1)).toMatchObject(days))
      fireEvent.change(from, { target: { value: '' } })
      await waitFor(() => expect(search()).toBe(`?tab=${tab}&to=2026-03-09`))
    },
  )

  it('that leave no day give a sentence instead of an empty list', async () => {
    openConsole('/admin/dashboard?tab=payments&from=2026-03-05&to=2026-03-01', () =>
      server.get('/api/admin/payments', pageOf([])),
    )
    expect(await screen.findByText(/^The day From is after the day To/)).toBeInTheDocument()
  })

  it('are read from the URL, without those that the API refuses', async () => {
    openConsole('/admin/dashboard?tab=payments&from=2026-02-30&to=2026-03-09')
    expect(await screen.findByLabelText('From, a day in UTC')).toHaveValue('')
    expect(screen.getByLabelText('To, a day in UTC')).toHaveValue('2026-03-09')
  })
})

describe('a row', () => {
  it('opens and closes by a click anywhere on it', async () => {
    const { user } = openConsole('/admin/dashboard')
    const cell = await screen.findByText('Mar 14, 2025')
    const expand = screen.getByRole('button', { name: /^Details of dana/ })
    await user.click(cell)
    expect(expand).toHaveAttribute('aria-expanded', 'true')
    await user.click(cell)
    expect(expand).toHaveAttribute('aria-expanded', 'false')
    await user.click(expand)
    expect(expand).toHaveAttribute('aria-expanded', 'true')
  })

  it('does not open by a click on its buttons, in its dialog, or at the end of a selection', async () => {
    const { user } = openConsole('/admin/dashboard')
    const cell = await screen.findByText('Mar 14, 2025')
    const expand = screen.getByRole('button', { name: /^Details of dana/ })
    await user.click(screen.getByRole('button', { name: /^Block dana/ }))
    await user.click(screen.getByText('This cannot be undone.'))
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(expand).toHaveAttribute('aria-expanded', 'false')
    window.getSelection()?.selectAllChildren(cell)
    fireEvent.click(cell)
    expect(expand).toHaveAttribute('aria-expanded', 'false')
    window.getSelection()?.removeAllRanges()
  })
})

describe('blocking', () => {
  const blocked = 'User blocked successfully. All active plans of the user have ended.'

  async function askToBlock(changeAnswers: () => void) {
    const { user } = openConsole('/admin/dashboard', changeAnswers)
    const button = await screen.findByRole('button', { name: /^Block dana/ })
    await user.click(button)
    const dialog = within(
      screen.getByRole('dialog', { name: 'Block dana@birchwooddental.example?' }),
    )
    return { user, button, dialog }
  }

  it('names the user and its effect, and then shows the server’s message', async () => {
    const { user, button, dialog } = await askToBlock(() =>
      server.post('/api/admin/users/usr_1/toggle-block', { blocked: true, message: blocked }),
    )
    expect(dialog.getByText(/^Blocking expires all active plans/)).toHaveTextContent(
      'Blocking expires all active plans of Birchwood Dental Group, 1 now.',
    )
    expect(dialog.getByText('This cannot be undone.')).toBeInTheDocument()
    server.get('/api/admin/users', pageOf([aUser()]))
    await user.click(dialog.getByRole('button', { name: 'Block user' }))
    expect(await screen.findByText(blocked)).toBeInTheDocument()
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
    expect(button).toHaveFocus()
    await waitFor(() => expect(requestsFor('users')).toHaveLength(2))
  })

  it('sends one request for two presses', async () => {
    const answer = held({ blocked: true, message: blocked })
    const { user, dialog } = await askToBlock(() =>
      server.post('/api/admin/users/usr_1/toggle-block', answer.answer),
    )
    const confirm = dialog.getByRole('button', { name: 'Block user' })
    await user.dblClick(confirm)
    await waitFor(() =>
      expect(server.sentTo('/api/admin/users/usr_1/toggle-block')).toHaveLength(1),
    )
    await user.click(confirm)
    expect(confirm).toHaveFocus()
    answer.release()
    expect(await screen.findByText(blocked)).toBeInTheDocument()
    expect(server.sentTo('/api/admin/users/usr_1/toggle-block')).toHaveLength(1)
  })

  it('sends the wanted state, whatever the page knows meanwhile', async () => {
    const message = 'This user is already blocked.'
    const { user, dialog } = await askToBlock(() =>
      server.post('/api/admin/users/usr_1/toggle-block', { blocked: true, message }),
    )
    server.get('/api/admin/users', unreachable)
    await user.click(dialog.getByRole('button', { name: 'Block user' }))
    expect(await screen.findByText(message)).toBeInTheDocument()
    expect(server.sentTo('/api/admin/users/usr_1/toggle-block')).toEqual([{ blocked: true }])
  })

  it('works for the longest address', async () => {
    const email = `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(57)}.com`
    expect(email).toHaveLength(254)
    const { user } = openConsole('/admin/dashboard', () => {
      server.get('/api/admin/users', pageOf([aUser({ email, blocked: true })]))
      server.post('/api/admin/users/usr_1/toggle-block', { blocked: false, message: 'Unblocked.' })
    })
    await user.click(await screen.findByRole('button', { name: `Unblock ${email}` }))
    await user.click(screen.getByRole('button', { name: 'Unblock user' }))
    expect(await screen.findByText('Unblocked.')).toBeInTheDocument()
    expect(server.sentTo('/api/admin/users/usr_1/toggle-block')).toEqual([{ blocked: false }])
  })

  it.each([refusal(409, { error: 'Conflict' }), unreachable])(
    'shows that it failed (%#)',
    async (answer) => {
      const { user, dialog } = await askToBlock(() =>
        server.post('/api/admin/users/usr_1/toggle-block', answer),
      )
      await user.click(dialog.getByRole('button', { name: 'Block user' }))
      expect(await screen.findByText('Failed to update user status')).toBeInTheDocument()
    },
  )

  it('is offered in the expanded row, and unblocking states that plans stay expired', async () => {
    const { user } = openConsole('/admin/dashboard', () =>
      server.get('/api/admin/users', pageOf([aUser({ blocked: true })])),
    )
    await user.click(await screen.findByRole('button', { name: /^Details of dana/ }))
    expect(await screen.findByRole('link', { name: 'Full history' })).toHaveAttribute(
      'href',
      '/admin/users/usr_1/history',
    )
    await user.click(screen.getByRole('button', { name: 'Unblock user' }))
    const dialog = within(screen.getByRole('dialog', { name: /^Unblock dana/ }))
    expect(dialog.getByText(/can make new purchases/)).toBeInTheDocument()
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  })
})

describe('an export', () => {
  it('shows the rows that the server has written to an XLSX file', async () => {
    const encoder = new TextEncoder()
    let stream: ReadableStreamDefaultController<Uint8Array> | undefined
    const { user } = openConsole('/admin/dashboard', () =>
      server.get(
        '/api/admin/users/export',
        () =>
          new HttpResponse(
            new ReadableStream<Uint8Array>({ start: (controller) => void (stream = controller) }),
            { headers: { 'Content-Type': 'text/event-stream' } },
          ),
      ),
    )
    await screen.findByText('dana@birchwooddental.example')
    await user.click(screen.getByRole('button', { name: 'Export XLSX' }))
    await screen.findByText('Exporting Users...')
    await waitFor(() => expect(stream).toBeDefined())
    const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 5_000)
    const send = (text: string) => act(() => stream?.enqueue(encoder.encode(text)))
    send('event: progress\ndata: {"rows":1200,"to')
    send('tal":1284}\n\n')
    await screen.findByText('Exporting Users: 1,200 of 1,284 rows')
    // More rows match a search than are counted.
    send('event: progress\ndata: {"rows":1250,"total":null}\n\n')
    now.mockReturnValue(Date.now() + 5_000)
    await screen.findByText('Exporting Users: 1,250 rows')
    now.mockRestore()
    send(`event: file\ndata: {"name":"Users.xlsx","base64":"${btoa('PK')}"}\n\n`)
    expect(await screen.findByText('Users exported successfully')).toBeInTheDocument()
    expect(left.files).toEqual(['Users.xlsx'])
    expect(screen.queryByText(/^Exporting/)).not.toBeInTheDocument()
  })

  it.each([
    [refusal(404, { error: 'No data to export' }), 'No data to export'],
    [
      refusal(400, { error: 'XLSX reaches 20,000 rows. Use CSV.' }),
      'XLSX reaches 20,000 rows. Use CSV.',
    ],
    [unreachable, 'Failed to export users. Try again.'],
  ])('shows why there is no file, and stays on the page (%#)', async (answer, text) => {
    const { user } = openConsole('/admin/dashboard', () =>
      server.get('/api/admin/users/export', answer),
    )
    await screen.findByText('dana@birchwooddental.example')
    await user.click(screen.getByRole('button', { name: 'Export CSV' }))
    expect(await screen.findByText(text)).toBeInTheDocument()
    expect(left).toMatchObject({ files: [], to: [] })
    expect(screen.getByText('dana@birchwooddental.example')).toBeInTheDocument()
  })

  it('above the number of records is proposed with its filters and a reason', async () => {
    const error = 'This export has 1,284 records. Another administrator must approve it.'
    const { user } = openConsole('/admin/dashboard?status=blocked', () => {
      server.get('/api/admin/users/export', refusal(409, { error, field: 'second_person' }))
      server.get('/api/admin/export-proposals', { items: [] })
    })
    await screen.findByText('dana@birchwooddental.example')
    await user.click(screen.getByRole('button', { name: 'Export XLSX' }))
    expect(await screen.findByText(error)).toBeInTheDocument()
    const propose = screen.getByRole('button', { name: 'Propose the export' })
    expect(propose).toBeDisabled()
    const message = 'Proposed. Another administrator decides about it on the page Approvals.'
    server.post('/api/admin/export-proposals', unreachable)
    await user.type(screen.getByLabelText('Reason for the other administrator'), 'For the audit.')
    await user.click(propose)
    await screen.findByText(/The answer was lost/)
    server.post('/api/admin/export-proposals', { id: 'a', status: 'waiting', message })
    await user.click(propose)
    expect(await screen.findByText(message)).toBeInTheDocument()
    const [first, second] = server.sentTo('/api/admin/export-proposals') as Record<
      string,
      unknown
    >[]
    expect(first).toMatchObject({
      list: 'users',
      format: 'xlsx',
      query: { status: 'blocked' },
      reason: 'For the audit.',
    })
    expect(second).toEqual(first)
    expect(left.files).toEqual([])
  })

  it('with an ended session shows the login and one message', async () => {
    const { user } = openConsole('/admin/dashboard', () =>
      server.get('/api/admin/users/export', refusal(401, { error: 'Log in first.' })),
    )
    await screen.findByText('dana@birchwooddental.example')
    await user.click(screen.getByRole('button', { name: 'Export CSV' }))
    expect(await screen.findByLabelText('Password')).toBeInTheDocument()
    expect(screen.getByText(sessionEndedText)).toBeInTheDocument()
    // The page below the login is hidden.
    expect(screen.queryByText(/Log in first|^Failed to export/)).not.toBeInTheDocument()
  })

  it('that the role does not allow any more shows the sentence, and the session stays', async () => {
    const error = 'Your role, Reader, does not let you export data.'
    const { user } = openConsole('/admin/dashboard', () =>
      server.get('/api/admin/users/export', refusal(403, { error })),
    )
    await screen.findByText('dana@birchwooddental.example')
    await user.click(screen.getByRole('button', { name: 'Export CSV' }))
    expect(await screen.findByText(error)).toBeInTheDocument()
    expect(screen.getByText('dana@birchwooddental.example')).toBeInTheDocument()
    expect(localStorage.getItem('adminAuthenticated')).toBe('true')
  })

  it('stops when the session ends in the middle, without a file', async () => {
    let stream: ReadableStreamDefaultController<Uint8Array> | undefined
    const { user } = openConsole('/admin/dashboard', () =>
      server.get(
        '/api/admin/users/export',
        () =>
          new HttpResponse(
            new ReadableStream<Uint8Array>({ start: (controller) => void (stream = controller) }),
            { headers: { 'Content-Type': 'text/csv' } },
          ),
      ),
    )
    await screen.findByText('dana@birchwooddental.example')
    await user.click(screen.getByRole('button', { name: 'Export CSV' }))
    await waitFor(() => expect(stream).toBeDefined())
    act(() => stream?.enqueue(new TextEncoder().encode('Email\r\n')))
    // What the stream of live updates does when the server ends the session.
    act(() => endSession('admin'))
    expect(await screen.findByText(sessionEndedText)).toBeInTheDocument()
    // A browser ends the reading of an aborted answer. msw does not.
    act(() => stream?.error(new DOMException('aborted', 'AbortError')))
    await waitFor(() => expect(screen.queryByText(/^Exporting/)).not.toBeInTheDocument())
    expect(screen.queryByText(/^Failed to export/)).not.toBeInTheDocument()
    expect(left).toMatchObject({ files: [], to: [] })
  })
})
