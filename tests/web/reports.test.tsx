import { describe, expect, it } from '@jest/globals'
import { screen, waitFor, within } from '@testing-library/react'
import { reportNames } from '#contracts/finance/report-columns'
import { summary } from './support/admin-data.ts'
import { refusal, startApiServer, unreachable } from './support/api-server.ts'
import { owner, session } from './support/auth-answers.ts'
import { left, openPage, preload } from './support/open-page.tsx'
import { today } from './support/purchases-data.ts'
import { aReport, figureEvents, overview } from './support/report-data.ts'
import { installMatchMedia } from './support/window-size.ts'

preload(() => import('../../web/features/admin/reports/reports-page.tsx'))

const server = startApiServer()
installMatchMedia(1440)

/** Opens the page of a signed-in administrator. `changeAnswers` replaces answers before that. */
function openReports(search = '', changeAnswers: () => void = () => {}) {
  localStorage.setItem('adminAuthenticated', 'true')
  server.get('/api/auth/session', { ...session, ...owner, now: today })
  server.get('/api/admin/summary', summary)
  server.get('/api/admin/reports', overview)
  for (const name of reportNames) {
    server.get(`/api/admin/reports/${name}`, aReport(name))
    server.get(`/api/admin/reports/${name}/events`, figureEvents())
  }
  changeAnswers()
  return openPage(`/admin/reports${search}`)
}

const panel = (name: string) => screen.findByRole('region', { name })
const table = (name: string) => screen.findByRole('table', { name })
const asked = (path: string) =>
  server.calls
    .filter((call) => call.path === path)
    .map(({ search }) => Object.fromEntries(new URLSearchParams(search)))

describe('the Reports page', () => {
  it('shows the last full month against the month before', async () => {
    openReports()
    const figures = within(await panel('Feb 2026'))
    for (const [label, figure, change] of [
      // 1,200.20 + 150.15 of two plans.
      ['Net revenue', '$1,350.35', 'More than 10 times Jan 2026'],
      ['MRR', '$200.00', '+100.0% from Jan 2026'],
      ['Churn rate', '3.45%', 'No rate in Jan 2026'],
      ['Deferred revenue', '$1,234.56', 'Same as Jan 2026'],
      ['Refunds', '$50.05', '$0.00 in Jan 2026'],
    ] as const) {
      expect(
        await figures.findByRole('button', { name: `${label} ${figure}: show the events` }),
      ).toBeVisible()
      expect(figures.getAllByText(change)[0]).toBeVisible()
    }
  })

  it('shows the rows of a report with the total, the time zone and the position', async () => {
    openReports()
    const revenue = within(await table('Revenue, USD'))
    expect(revenue.getAllByRole('row').map((row) => row.textContent)).toEqual([
      expect.stringContaining('Gross'),
      expect.stringContaining('Jan 2026ClosedMonthly Plan100.10'),
      expect.stringContaining('Annual Plan1,200.20'),
      expect.stringContaining('Monthly Plan200.20'),
      expect.stringContaining('Mar 2026To dateMonthly Plan0.30'),
      'Total1,500.8050.050.000.000.001,450.750.00',
    ])
    expect(await screen.findByText(/Months end in America\/New_York\. Amounts/)).toHaveTextContent(
      // The time of the report, and not that of the overview.
      'Log position 1042, computed Mar 20, 2026, 3:45:00 PM UTC.',
    )
    expect(screen.getByText(/The books are closed through Jan 2026/)).toBeVisible()
  })

  it('asks for the last twelve months, and for the months of the address', async () => {
    openReports()
    await table('Revenue, USD')
    expect(asked('/api/admin/reports/revenue')).toEqual([{ from: '2025-04', to: '2026-03' }])
  })

  it('keeps the view in the address', async () => {
    const { user, search } = openReports('?report=mrr&from=2026-02&currency=usd')
    await table('Monthly recurring revenue, USD')
    expect(asked('/api/admin/reports/mrr')).toContainEqual({
      from: '2026-02',
      to: '2026-03',
      currency: 'usd',
    })
    await user.selectOptions(screen.getByLabelText('To'), 'Feb 2026')
    expect(search()).toBe('?report=mrr&from=2026-02&currency=usd&to=2026-02')
    await user.click(screen.getByRole('link', { name: 'Journal' }))
    await table('Journal, USD')
    expect(search()).toBe('?report=journal&from=2026-02&currency=usd&to=2026-02')
    await user.click(screen.getByRole('button', { name: 'Next' }))
    await waitFor(() => expect(search()).toContain('&page=2'))
  })

  it('says which day and which knowledge it shows, and returns to today', async () => {
    const { user, search } = openReports('?asOf=2026-02-28&knownAt=2026-03-01')
    expect(
      await screen.findByText(
        'As of the end of Feb 28, 2026, with what was known at the end of Mar 1, 2026.',
      ),
    ).toBeVisible()
    expect(asked('/api/admin/reports/revenue')[0]).toMatchObject({
      asOf: '2026-02-28',
      knownAt: '2026-03-01',
    })
    await user.click(screen.getByRole('button', { name: 'Back to today' }))
    expect(search()).toBe('')
  })

  it.each(reportNames.filter((name) => !['failed-payments', 'adjustments'].includes(name)))(
    'has a table and accessible figures for %s',
    async (name) => {
      openReports(`?report=${name}`)
      const region = await screen.findByRole('region', { name: /: table$/ })
      const tables = within(region).getByRole('table')
      expect(within(tables).getAllByRole('button').length).toBeGreaterThan(2)
      for (const header of within(tables).getAllByRole('columnheader'))
        expect(header).not.toHaveTextContent(/^$/)
    },
  )

  it('shows that the books balance', async () => {
    openReports('?report=trial-balance')
    expect(
      await screen.findByText('Debits less credits: 0.00 USD. The books balance.'),
    ).toBeVisible()
    expect(asked('/api/admin/reports/trial-balance')[0]).not.toHaveProperty('from')
  })

  it('shows that the books do not balance', async () => {
    openReports('?report=trial-balance', () =>
      server.get(
        '/api/admin/reports/trial-balance',
        aReport('trial-balance', [
          { account: 'cash', currency: 'usd', debit: '10.00', credit: '0.00' },
          { account: 'revenue', currency: 'usd', debit: '0.00', credit: '9.99' },
        ]),
      ),
    )
    expect(await screen.findByText(/0\.01 USD\. The books do not balance/)).toBeVisible()
  })

  it('never adds two currencies: each has its chart, its table and its key figures', async () => {
    openReports('?report=recognized', () =>
      server.get(
        '/api/admin/reports/recognized',
        aReport('recognized', [
          { month: '2026-02', currency: 'eur', recognized: '5.00', deferred_at_end: '7.00' },
          { month: '2026-02', currency: 'jpy', recognized: '500', deferred_at_end: '700' },
        ]),
      ),
    )
    expect(await table('Recognized and deferred revenue, EUR')).toHaveTextContent('5.00')
    expect(await table('Recognized and deferred revenue, JPY')).toHaveTextContent('500')
    const figures = within(await panel('Feb 2026'))
    expect(figures.getByRole('button', { name: /Deferred revenue €7\.00/ })).toBeVisible()
    expect(figures.getByRole('button', { name: /Deferred revenue ¥700/ })).toBeVisible()
  })
})

describe('the events behind a figure', () => {
  it('open on a press, with the sum, the customers and the ids', async () => {
    const { user } = openReports()
    const figure = within(await table('Revenue, USD')).getByRole('button', {
      name: '150.15, Net, Feb 2026, Monthly Plan: show the events',
    })
    figure.focus()
    await user.keyboard('{Enter}')
    const drawer = within(
      await screen.findByRole('dialog', { name: 'Net, Feb 2026, Monthly Plan' }),
    )
    expect(await drawer.findByText('150.15 USD')).toBeVisible()
    expect(drawer.getByText(/is the sum of 2 events/)).toBeVisible()
    expect(asked('/api/admin/reports/revenue/events')).toEqual([
      {
        from: '2025-04',
        to: '2026-03',
        currency: 'usd',
        month: '2026-02',
        plan: 'Monthly Plan',
        column: 'net',
      },
    ])
    expect(drawer.getByRole('row', { name: /Refund recorded/ })).toHaveTextContent('−50.05')
    expect(drawer.getAllByRole('link')[0]).toHaveAttribute(
      'href',
      '/admin/users/usr_1/history?event=billing-usr_1%4016',
    )
    await user.click(drawer.getByRole('button', { name: /^Copy event id 5bfb9ddf/ }))
    expect(left.copied).toEqual(['5bfb9ddf-8dcb-5327-8357-b0a1c2d3e4f5'])
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(figure).toHaveFocus()
  })

  it('load the next page, and say that a rate is computed from them', async () => {
    const { user } = openReports('?report=subscriptions', () =>
      server.get(
        '/api/admin/reports/subscriptions/events',
        figureEvents({ is_sum: false, sum: 3, currency: null, total: 60, next: '17' }),
      ),
    )
    const rate = within(await table('Subscriptions')).getByRole('button', { name: /^3\.45%/ })
    await user.click(rate)
    expect(
      await screen.findByText(/from 60 events: the figure is computed from them/),
    ).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Show more events' }))
    await waitFor(() =>
      expect(asked('/api/admin/reports/subscriptions/events').at(-1)).toMatchObject({
        after: '17',
      }),
    )
  })

  it('can be loaded again after a failure', async () => {
    const { user } = openReports('', () =>
      server.get('/api/admin/reports/revenue/events', unreachable),
    )
    await user.click(await screen.findByRole('button', { name: /^Net revenue/ }))
    const drawer = within(await screen.findByRole('dialog'))
    const retry = await drawer.findByRole('button', { name: 'Retry' })
    server.get('/api/admin/reports/revenue/events', figureEvents())
    await user.click(retry)
    expect(await drawer.findByText('150.15 USD')).toBeVisible()
  })

  it('show why the first or the next page failed, and load it again', async () => {
    const path = '/api/admin/reports/revenue/events'
    const busy = refusal(429, { error: 'Too many requests. Try again in 3 seconds.' })
    const { user } = openReports('', () => server.get(path, busy))
    await user.click(await screen.findByRole('button', { name: /^Net revenue/ }))
    const drawer = within(await screen.findByRole('dialog'))
    expect(await drawer.findByText(/Try again in 3 seconds/)).toBeVisible()

    server.get(path, figureEvents({ total: 60, next: '17' }))
    await user.click(drawer.getByRole('button', { name: 'Retry' }))
    server.get(path, busy)
    await user.click(await drawer.findByRole('button', { name: 'Show more events' }))
    expect(await drawer.findByText(/Try again in 3 seconds/)).toBeVisible()
    expect(drawer.getByText('150.15 USD')).toBeVisible()
    server.get(path, figureEvents({ total: 60, items: [] }))
    await user.click(drawer.getByRole('button', { name: 'Show more events' }))
    await waitFor(() => expect(drawer.queryByText(/Try again in 3 seconds/)).toBeNull())
  })

  it('do not open from the empty side of a balance, which no event adds to', async () => {
    openReports('?report=trial-balance')
    const balance = within(await table('Trial balance, USD'))
    for (const button of balance.getAllByRole('button', { name: /show the events/ }))
      expect(button).not.toHaveTextContent(/^0\.00$/)
  })
})

describe('the states of the Reports page', () => {
  it('keep the tabs of the dashboard and its header', async () => {
    openReports()
    const tabs = within(await screen.findByRole('navigation', { name: 'Dashboard' }))
    const plans = await tabs.findByRole('link', { name: 'Active Plans 397' })
    expect(plans).toHaveAttribute('href', '/admin/dashboard?tab=active-plans')
    expect(screen.getByRole('link', { name: 'Reports' })).toHaveAttribute('aria-current', 'page')
    expect(screen.getByRole('link', { name: 'Activity' })).not.toHaveAttribute('aria-current')
    await table('Revenue, USD')
  })

  it('say that the reports load', async () => {
    openReports()
    await screen.findByText('Loading the reports...')
    await table('Revenue, USD')
    expect(screen.queryByText(/^Loading/)).toBeNull()
  })

  it('say that the log has no event of billing', async () => {
    openReports('', () => server.get('/api/admin/reports', { ...overview, first_month: null }))
    expect(await screen.findByText(/no event of billing yet/)).toBeVisible()
    expect(asked('/api/admin/reports/revenue')).toEqual([])
  })

  it('say why the reports cannot be shown', async () => {
    const error = 'This page cannot be shown: the build of its data (reports) is paused.'
    openReports('', () => server.get('/api/admin/reports', refusal(503, { error })))
    expect(await screen.findByText('Failed to fetch reports: 503')).toBeVisible()
    expect(screen.getByText(error)).toBeVisible()
  })

  it('say once why no figure can be computed', async () => {
    const error = 'The report was not computed.'
    openReports('', () => {
      for (const name of reportNames)
        server.get(`/api/admin/reports/${name}`, refusal(409, { error }))
    })
    expect(await screen.findByText('Failed to fetch Net revenue: 409')).toBeVisible()
    expect(await screen.findAllByText(error)).toHaveLength(1)
  })

  it('say that an event stops all figures, and since when', async () => {
    const paused_since = '2026-03-19T08:00:00.000Z'
    openReports('', () => server.get('/api/admin/reports', { ...overview, paused_since }))
    expect(
      await screen.findByText(/^These figures have not changed since Mar 19, 2026/),
    ).toBeVisible()
  })

  it.each([
    [1, 'These figures lack the latest events of 1 customer: an event cannot be read.'],
    [2, 'These figures lack the latest events of 2 customers: an event cannot be read.'],
  ])('say that the figures lack events of %i parked customers', async (parked_customers, text) => {
    openReports('', () => server.get('/api/admin/reports', { ...overview, parked_customers }))
    expect(await screen.findByText(new RegExp(`^${text}`))).toBeVisible()
  })

  it.each([
    [1, 'These figures lack 1 event that an operator skipped.'],
    [2, 'These figures lack 2 events that an operator skipped.'],
  ])('say that the figures lack %i skipped events', async (skipped_events, text) => {
    openReports('', () => server.get('/api/admin/reports', { ...overview, skipped_events }))
    expect(await screen.findByText(new RegExp(`^${text}`))).toBeVisible()
  })

  it('say both that customers wait and that events were skipped', async () => {
    const behind = { parked_customers: 1, skipped_events: 1 }
    openReports('', () => server.get('/api/admin/reports', { ...overview, ...behind }))
    expect(await screen.findByText(/^These figures lack the latest events of 1/)).toBeVisible()
    expect(screen.getByText(/ They lack 1 event that an operator skipped\.$/)).toBeVisible()
  })

  it('say that a report has no rows', async () => {
    openReports('?report=adjustments')
    expect(
      await screen.findByText('No figures of adjustments of closed months in these months.'),
    ).toBeVisible()
  })

  it('say that a page does not exist, and lead to the last one', async () => {
    const { user } = openReports('?report=journal&page=999', () =>
      server.get('/api/admin/reports/journal', { ...aReport('journal', []), total: 120 }),
    )
    expect(await screen.findByText('Page 999 has no lines: the report has 3 pages.')).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Previous' }))
    await waitFor(() =>
      expect(asked('/api/admin/reports/journal').at(-1)).toMatchObject({ page: '3' }),
    )
  })

  it('move the other month along, so that the first one is never after the last one', async () => {
    const { user } = openReports('?to=2026-01&from=2025-12')
    await user.selectOptions(await screen.findByLabelText('From'), '2026-02')
    expect(screen.getByLabelText('To')).toHaveValue('2026-02')
    await user.selectOptions(screen.getByLabelText('To'), '2026-01')
    expect(screen.getByLabelText('From')).toHaveValue('2026-01')
  })

  it('show a failed report with its reason, and load it again', async () => {
    const { user } = openReports('?report=journal', () =>
      server.get('/api/admin/reports/journal', refusal(400, { error: 'from 2026-05 is wrong.' })),
    )
    const failed = within(await screen.findByRole('region', { name: 'Journal' }))
    expect(await failed.findByText('from 2026-05 is wrong.')).toBeVisible()
    server.get('/api/admin/reports/journal', aReport('journal'))
    await user.click(failed.getByRole('button', { name: 'Retry' }))
    expect(await table('Journal, USD')).toBeVisible()
  })

  it('say that the figures are old after a refresh that failed, and why', async () => {
    const { user } = openReports()
    await table('Revenue, USD')
    const reason = 'A month was closed in another time zone.'
    server.get('/api/admin/reports/revenue', refusal(409, { error: reason }))
    await user.click(screen.getByRole('button', { name: 'Refresh' }))
    expect(await screen.findByText(`The figures below were not refreshed. ${reason}`)).toBeVisible()
    expect(await table('Revenue, USD')).toBeVisible()
    server.get('/api/admin/reports/revenue', aReport('revenue'))
    await user.click(screen.getByRole('button', { name: 'Refresh' }))
    await waitFor(() => expect(screen.queryByText(/not refreshed/)).toBeNull())
  })

  it('show the failure of one key figure beside the others', async () => {
    openReports('', () => server.get('/api/admin/reports/mrr', unreachable))
    expect(await screen.findByText('Failed to fetch MRR: unreachable')).toBeVisible()
    expect(await screen.findByRole('button', { name: /^Net revenue \$/ })).toBeVisible()
  })

  it('show the login after 401', async () => {
    openReports('', () => server.get('/api/admin/reports', refusal(401, { error: 'No.' })))
    expect(await screen.findByRole('heading', { name: 'Admin Login' })).toBeVisible()
  })
})

describe('an export', () => {
  it('saves the file of the shown report', async () => {
    const { user } = openReports('?report=failed-payments&from=2026-01', () =>
      server.get(
        '/api/admin/reports/failed-payments/export',
        () =>
          new Response('month\r\n', {
            headers: { 'Content-Disposition': 'attachment; filename="Failed payments.csv"' },
          }),
      ),
    )
    await user.click(await screen.findByRole('button', { name: 'Export CSV' }))
    expect(await screen.findByText('Failed payments exported successfully')).toBeVisible()
    expect(left.files).toEqual(['Failed payments.csv'])
    expect(asked('/api/admin/reports/failed-payments/export')).toEqual([
      { format: 'csv', from: '2026-01', to: '2026-03' },
    ])
  })
})
