import { beforeEach, describe, expect, it, jest } from '@jest/globals'
import { act, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import type { HistoryEvent, RawEventResponse } from '#contracts/admin/history'
import { aUser, summary } from './support/admin-data.ts'
import { refusal, startApiServer, unreachable } from './support/api-server.ts'
import { owner, session } from './support/auth-answers.ts'
import { aHistory, anEvent, aRawEvent, eventsPage, manyEvents } from './support/history-data.ts'
import { left, openPage, preload } from './support/open-page.tsx'
import { today } from './support/purchases-data.ts'
import { installMatchMedia } from './support/window-size.ts'

preload(() => import('../../web/features/admin/history/user-history-page.tsx'))

const server = startApiServer()
const resize = installMatchMedia(1440)
window.HTMLElement.prototype.scrollIntoView = jest.fn()

// The test environment has Node's FormData, which accepts no form. React makes one for a submit
// that starts a transition.
globalThis.FormData = class extends FormData {
  constructor() {
    super()
  }
}

beforeEach(() => resize(1440))

const mail = anEvent({
  stream: 'notification-usr_1',
  revision: 9,
  mark: 'mail',
  title: 'Mail sent',
  sentence: 'A receipt was sent.',
  occurred_at: '2026-03-18T14:06:31.000Z',
  actor: { kind: 'system', id: 'notifier', name: 'system' },
})
const change = anEvent()
const payment = anEvent({
  revision: 16,
  mark: 'paid',
  title: 'Payment succeeded',
  sentence: 'A payment with Visa ending 4242 succeeded.',
  amount: 39,
  currency: 'usd',
  occurred_at: '2026-03-03T09:12:04.000Z',
  recorded_at: '2026-03-03T12:12:04.000Z',
})
const refund = anEvent({
  revision: 9,
  mark: 'returned',
  title: 'Refund recorded',
  sentence: '<b>Partial</b>, asked by the customer.',
  amount: -13,
  currency: 'usd',
  occurred_at: '2026-01-09T16:27:10.000Z',
})
const events = [mail, change, payment, refund]

const historyPath = '/api/admin/users/:userId/history'
const address = '/admin/users/usr_1/history'

function answerRaw(event: HistoryEvent, overrides: Partial<RawEventResponse> = {}): void {
  server.get(`/api/admin/events/${event.stream}/${event.revision}`, () =>
    HttpResponse.json(aRawEvent(event, overrides)),
  )
}

/** Opens a page of a signed-in administrator. `changeAnswers` replaces answers before that. */
function openAudit(changeAnswers: () => void = () => {}, path = address) {
  localStorage.setItem('adminAuthenticated', 'true')
  server.get('/api/auth/session', { ...session, ...owner, now: today })
  server.get(historyPath, aHistory(events))
  server.get('/api/admin/activity', eventsPage(events))
  server.get('/api/admin/events', eventsPage([payment, refund], { total: 2906 }))
  server.get('/api/admin/summary', summary)
  for (const event of events) answerRaw(event)
  changeAnswers()
  return openPage(path)
}

/** The queries of the requests for a list of events, oldest first. */
const requested = (path = historyPath) =>
  server.calls
    .filter((call) => call.path === path)
    .map(({ search }) => Object.fromEntries(new URLSearchParams(search)))

const row = (title: string) => screen.getByRole('link', { name: title })
const foundRow = (title: string) => screen.findByRole('link', { name: title })
const item = (title: string) => row(title).closest('li')
const inspector = (title: string) => screen.findByRole('complementary', { name: title })

describe('the history of a user', () => {
  it('shows the login without a session, and the history after it', async () => {
    const { user } = openAudit(() => {
      localStorage.clear()
      server.post('/api/admin/login', { isAdmin: true })
    })
    await user.type(await screen.findByLabelText('Password'), 'right')
    await user.click(screen.getByRole('button', { name: 'Login' }))
    expect(await foundRow('Mail sent')).toBeInTheDocument()
  })

  it('names the user and shows the account', async () => {
    openAudit()
    expect(
      await screen.findByRole('heading', { level: 1, name: 'dana@birchwooddental.example' }),
    ).toBeInTheDocument()
    expect(
      screen.getByText('Birchwood Dental Group. Paying Customer. Since Mar 14, 2025.'),
    ).toBeInTheDocument()
    const overview = screen.getByRole('region', { name: 'Overview' })
    for (const text of ['Paying Customer', 'Active', 'Monthly Plan', '$494.20', 'Dana Whitlock'])
      expect(within(overview).getByText(text)).toBeInTheDocument()
    expect(screen.getByRole('link', { name: 'Users' })).toHaveAttribute('href', '/admin/dashboard')
  })

  it('draws the marks of messages that were not sent hollow', async () => {
    const unsent = (['mail-unsent', 'text-unsent'] as const).map((mark) =>
      anEvent({ ...mail, revision: mark === 'mail-unsent' ? 8 : 7, mark, title: mark }),
    )
    openAudit(() => server.get(historyPath, aHistory([mail, ...unsent])))
    await foundRow('Mail sent')
    const drawn = ['Mail sent', 'mail-unsent', 'text-unsent'].map((title) =>
      item(title)?.querySelector('.mark')?.className.trim(),
    )
    expect(drawn).toEqual([
      expect.stringMatching(/mark-email /),
      expect.stringMatching(/mark-email-unsent /),
      expect.stringMatching(/mark-text-unsent /),
    ])
  })

  it('lists the events by day, newest first', async () => {
    openAudit()
    await foundRow('Mail sent')
    expect(screen.getAllByRole('heading', { level: 2 }).map((day) => day.textContent)).toEqual([
      'Mar 18, 2026',
      'Mar 3, 2026',
      'Jan 9, 2026',
    ])
    expect(screen.getByText('4 events, newest first')).toBeInTheDocument()
    expect(item('Mail sent')).toHaveTextContent('2:06:31 PM')
    expect(item('Mail sent')).toHaveTextContent('system notification @ 9')
    expect(item('Payment succeeded')).toHaveTextContent('+$39.00')
    expect(item('Refund recorded')).toHaveTextContent('−$13.00')
    expect(item('Refund recorded')).toHaveTextContent('<b>Partial</b>, asked by the customer.')
  })

  it('shows a plus at money that a reversal gives back', async () => {
    const failed = anEvent({ ...refund, revision: 10, title: 'Refund status changed', amount: 13 })
    openAudit(() => server.get(historyPath, aHistory([failed, refund])))
    await foundRow('Refund status changed')
    expect(item('Refund status changed')).toHaveTextContent('+$13.00')
  })

  it('states when the product learned of an event, if that was much later', async () => {
    openAudit()
    await foundRow('Mail sent')
    expect(item('Payment succeeded')).toHaveTextContent(
      'Recorded 3 h later: Mar 3, 2026, 12:12:04 PM',
    )
    expect(item('Mail sent')).not.toHaveTextContent('Recorded')
  })

  it('shows the whole history in a strip, also in words', async () => {
    openAudit()
    expect(
      await screen.findByRole('img', {
        name: /^Jan 9, 2026 to Mar 18, 2026: 1 payment, 1 refund or credit, 1 plan change, /,
      }),
    ).toBeInTheDocument()
  })

  it('shows its outline while it loads', async () => {
    openAudit(() => server.get(historyPath, () => new Promise(() => {})))
    await screen.findByText('Loading events...')
    expect(screen.getByRole('region', { name: 'Overview' })).toBeInTheDocument()
    expect(screen.queryByText('No events found')).not.toBeInTheDocument()
  })

  it('shows a text without events', async () => {
    openAudit(() => server.get(historyPath, aHistory([])))
    expect(await screen.findByText('No events found')).toBeInTheDocument()
  })

  it('shows an error with Retry', async () => {
    const { user } = openAudit(() => server.get(historyPath, unreachable))
    expect(await screen.findByText('Failed to fetch events: unreachable')).toBeInTheDocument()
    expect(screen.getByRole('heading', { level: 1, name: 'usr_1' })).toBeInTheDocument()
    server.get(historyPath, aHistory(events))
    await user.click(screen.getByRole('button', { name: 'Retry' }))
    expect(await foundRow('Mail sent')).toBeInTheDocument()
  })

  it('states that the user does not exist', async () => {
    openAudit(() => server.get(historyPath, refusal(404, { error: 'User not found' })))
    expect(await screen.findByRole('heading', { name: 'User not found' })).toBeInTheDocument()
    expect(screen.getByText('No account has the id usr_1.')).toBeInTheDocument()
  })

  it('shows the login when the session has ended', async () => {
    openAudit(() => server.get(historyPath, refusal(401, { error: 'Sign in' })))
    expect(await screen.findByRole('heading', { name: 'Admin Login' })).toBeInTheDocument()
  })

  it('requests the events of a kind, and keeps the kind in the URL', async () => {
    const { user, search } = openAudit()
    await foundRow('Mail sent')
    server.get(historyPath, aHistory([payment]))
    await user.click(screen.getByRole('button', { name: 'Billing' }))
    await waitFor(() => expect(screen.queryByText('Mail sent')).not.toBeInTheDocument())
    expect(requested()).toEqual([{ kind: 'all' }, { kind: 'billing' }])
    expect(search()).toBe('?kind=billing')
    expect(screen.getByRole('button', { name: 'Billing' })).toHaveAttribute('aria-pressed', 'true')
    await user.click(screen.getByRole('button', { name: 'Mail and text' }))
    expect(search()).toBe('?kind=messages')
  })

  it('ignores invalid values in the URL', async () => {
    openAudit(undefined, `${address}?kind=nonsense&asOf=yesterday&event=nonsense`)
    await foundRow('Mail sent')
    expect(requested()).toEqual([{ kind: 'all' }])
  })

  it('loads the next page below the first, and focuses its first event', async () => {
    const first = manyEvents(50)
    const second = manyEvents(3, 50)
    const { user } = openAudit(() =>
      server.get(historyPath, () =>
        HttpResponse.json(
          requested().at(-1)?.after === 'cursor'
            ? aHistory(second, { total: 53 })
            : aHistory(first, { total: 53, next: 'cursor' }),
        ),
      ),
    )
    expect(await screen.findByText('53 events, newest first')).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Show earlier events' }))
    await waitFor(() => expect(row('Event 51')).toHaveFocus())
    expect(row('Event 1')).toBeInTheDocument()
    expect(requested().at(-1)).toEqual({ kind: 'all', after: 'cursor' })
    expect(screen.queryByRole('button', { name: 'Show earlier events' })).not.toBeInTheDocument()
  })

  it('keeps the loaded events if the next page fails', async () => {
    const { user } = openAudit(() =>
      server.get(historyPath, aHistory(events, { total: 60, next: 'cursor' })),
    )
    await foundRow('Mail sent')
    server.get(historyPath, unreachable)
    await user.click(screen.getByRole('button', { name: 'Show earlier events' }))
    expect(await screen.findByRole('alert')).toHaveTextContent('Failed to load earlier events.')
    expect(row('Mail sent')).toBeInTheDocument()
    server.get(historyPath, aHistory([anEvent({ revision: 1, title: 'Account opened' })]))
    await user.click(screen.getByRole('button', { name: 'Show earlier events' }))
    expect(await foundRow('Account opened')).toBeInTheDocument()
  })

  it('is loaded again by Refresh', async () => {
    const { user } = openAudit()
    await foundRow('Mail sent')
    server.get(historyPath, aHistory([anEvent({ revision: 18, title: 'Plan changed' }), ...events]))
    await user.click(screen.getByRole('button', { name: 'Refresh' }))
    expect(await foundRow('Plan changed')).toBeInTheDocument()
  })

  it('ends with Logout', async () => {
    const { user } = openAudit(() => server.post('/api/admin/logout', unreachable))
    await foundRow('Mail sent')
    await user.click(screen.getByRole('button', { name: 'Logout' }))
    expect(await screen.findByRole('heading', { name: 'Admin Login' })).toBeInTheDocument()
  })
})

describe('as of', () => {
  it('shows the account at the end of the chosen day, and returns to now', async () => {
    const { user, search } = openAudit()
    await foundRow('Mail sent')
    server.get(historyPath, () =>
      HttpResponse.json(
        requested().at(-1)?.asOf === undefined
          ? aHistory(events)
          : aHistory([refund], { user: aUser({ user_type: 3, total_spent: 0, blocked: true }) }),
      ),
    )
    await user.type(screen.getByLabelText('As of (UTC)'), '2026-01-31')
    await user.click(screen.getByRole('button', { name: 'Show' }))
    expect(screen.getByText('As of Jan 31, 2026, 11:59:59 PM UTC')).toBeInTheDocument()
    const overview = screen.getByRole('region', { name: 'Overview' })
    expect(await within(overview).findByText('Verified by one-time code')).toBeInTheDocument()
    expect(within(overview).getByText('Blocked')).toBeInTheDocument()
    expect(screen.queryByText('Mail sent')).not.toBeInTheDocument()
    expect(requested().at(-1)).toEqual({ kind: 'all', asOf: '2026-01-31T23:59:59.999Z' })
    expect(search()).toBe('?asOf=2026-01-31T23%3A59%3A59.999Z')

    await user.click(screen.getByRole('button', { name: 'Back to now' }))
    expect(search()).toBe('')
    expect(await foundRow('Mail sent')).toBeInTheDocument()
    expect(screen.queryByText(/^As of Jan/)).not.toBeInTheDocument()
    expect(screen.getByLabelText('As of (UTC)')).toHaveValue('')
  })

  it('before the account was opened shows the address of today and no events', async () => {
    openAudit(
      () =>
        server.get(historyPath, () =>
          HttpResponse.json(
            requested().at(-1)?.asOf === undefined
              ? aHistory(events)
              : aHistory([], { user: null, days: [] }),
          ),
        ),
      `${address}?asOf=2020-01-01T00:00:00.000Z`,
    )
    expect(await screen.findByText('The account did not exist at this time.')).toBeInTheDocument()
    expect(
      await screen.findByRole('heading', { name: 'dana@birchwooddental.example' }),
    ).toBeInTheDocument()
    expect(screen.getByText('No events found')).toBeInTheDocument()
    expect(screen.queryByRole('region', { name: 'Overview' })).not.toBeInTheDocument()
  })
})

describe('the selected event', () => {
  const selectedAddress = `${address}?event=billing-usr_1@17`

  it('opens on a press, beside the timeline', async () => {
    const { user, search } = openAudit()
    await user.click(await foundRow('Plan change scheduled'))
    const details = await inspector('Plan change scheduled')
    expect(search()).toBe('?event=billing-usr_1%4017')
    expect(row('Plan change scheduled')).toHaveAttribute('aria-current', 'true')
    expect(within(details).getByText('billing-usr_1 @ 17')).toBeInTheDocument()
    expect(within(details).getByText('Mar 18, 2026, 2:06:28 PM')).toBeInTheDocument()
    expect(within(details).getByText('0.4 s later')).toBeInTheDocument()
    expect(await within(details).findByText('Chain intact')).toBeInTheDocument()
    expect(
      within(details).getByRole('row', { name: 'Plan Monthly Plan Annual Plan' }),
    ).toBeInTheDocument()
    expect(within(details).getByLabelText('Raw event')).toHaveTextContent(
      '{ "type": "PlanChangeScheduled", "schemaVersion": 1,',
    )
  })

  it('of a link opens, also if the list does not have the event', async () => {
    openAudit(() => server.get(historyPath, aHistory([mail])), selectedAddress)
    const details = await inspector('Plan change scheduled')
    for (const name of ['Previous event', 'Next'])
      expect(within(details).getByRole('button', { name })).toHaveAttribute('aria-disabled', 'true')
  })

  it('follows the arrow keys, and closes on Escape with the focus on its row', async () => {
    const { user, search } = openAudit()
    await user.click(await foundRow('Mail sent'))
    await user.keyboard('{ArrowDown}{ArrowDown}')
    expect(row('Payment succeeded')).toHaveFocus()
    expect(await inspector('Payment succeeded')).toBeInTheDocument()
    expect(search()).toBe('?event=billing-usr_1%4016')
    await user.keyboard('{End}')
    expect(row('Refund recorded')).toHaveFocus()
    await user.keyboard('{Home}{ArrowUp}{ArrowDown}')
    expect(row('Plan change scheduled')).toHaveFocus()
    await user.keyboard('{Escape}')
    expect(screen.queryByRole('complementary')).not.toBeInTheDocument()
    expect(row('Plan change scheduled')).toHaveFocus()
    expect(search()).toBe('')
  })

  it('opens on Enter; the arrow keys alone only move the focus', async () => {
    const { user } = openAudit()
    await foundRow('Mail sent')
    act(() => row('Mail sent').focus())
    await user.keyboard('{ArrowDown}')
    expect(screen.queryByRole('complementary')).not.toBeInTheDocument()
    await user.keyboard('{Enter}')
    expect(await inspector('Plan change scheduled')).toBeInTheDocument()
  })

  it('is one stop of Tab among all rows', async () => {
    openAudit()
    await foundRow('Mail sent')
    expect(row('Mail sent')).toHaveAttribute('tabindex', '0')
    for (const title of ['Plan change scheduled', 'Payment succeeded', 'Refund recorded'])
      expect(row(title)).toHaveAttribute('tabindex', '-1')
  })

  it('moves with Previous event and Next, and to the next page', async () => {
    const { user } = openAudit(() => {
      server.get(historyPath, () =>
        HttpResponse.json(
          requested().at(-1)?.after === 'cursor'
            ? aHistory([payment], { total: 3 })
            : aHistory([mail, change], { total: 3, next: 'cursor' }),
        ),
      )
    }, selectedAddress)
    await inspector('Plan change scheduled')
    await foundRow('Mail sent')
    await user.click(screen.getByRole('button', { name: 'Previous event' }))
    expect(await inspector('Payment succeeded')).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Previous event' })).toHaveAttribute(
      'aria-disabled',
      'true',
    )
    await user.click(screen.getByRole('button', { name: 'Next' }))
    await user.click(screen.getByRole('button', { name: 'Next' }))
    expect(await inspector('Mail sent')).toBeInTheDocument()
  })

  it('of a narrow window is in a drawer, whose close returns the focus to the row', async () => {
    resize(390)
    const { user } = openAudit()
    await user.click(await foundRow('Mail sent'))
    const drawer = await screen.findByRole('dialog', { name: 'Mail sent' })
    await user.click(within(drawer).getByRole('button', { name: 'Previous event' }))
    expect(await screen.findByRole('dialog', { name: 'Plan change scheduled' })).toBeInTheDocument()
    await user.click(screen.getByRole('button', { name: 'Close' }))
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
    await waitFor(() => expect(row('Plan change scheduled')).toHaveFocus())
  })

  it('shows a broken chain and a first event', async () => {
    openAudit(
      () => answerRaw(change, { chain_is_intact: false, previous_hash: null, changes: [] }),
      selectedAddress,
    )
    const details = await inspector('Plan change scheduled')
    expect(await within(details).findByText('Chain broken')).toBeInTheDocument()
    expect(within(details).getByText('First of its stream')).toBeInTheDocument()
    expect(within(details).queryByRole('table')).not.toBeInTheDocument()
  })

  it('shows HTML as text', async () => {
    const html = '<img src=x onerror="window.wasRun=true">'
    openAudit(
      () =>
        answerRaw(change, {
          data: { name: html },
          changes: [{ field: html, before: null, after: html }],
        }),
      selectedAddress,
    )
    const details = await inspector('Plan change scheduled')
    expect(
      await within(details).findByRole('row', { name: `${html} None ${html}` }),
    ).toBeInTheDocument()
    expect(document.querySelector('main img:not([role])')).toBeNull()
  })

  it('can be copied as JSON', async () => {
    const { user } = openAudit(undefined, selectedAddress)
    const details = await inspector('Plan change scheduled')
    await within(details).findByText('Chain intact')
    await user.click(within(details).getByRole('button', { name: 'Copy JSON' }))
    const { data, metadata } = aRawEvent(change)
    expect(JSON.parse(left.copied[0] ?? '')).toEqual({
      type: 'PlanChangeScheduled',
      schemaVersion: 1,
      data,
      metadata,
    })
    expect(screen.getByText('JSON copied')).toBeInTheDocument()
  })

  it('hides the data of a client until they are opened, which is recorded', async () => {
    const client = anEvent({ stream: 'client-client_1', revision: 0, title: 'Client added' })
    const place = `/api/admin/events/${client.stream}/0`
    let opened = 0
    const { user } = openAudit(() => {
      server.get(historyPath, aHistory([client, mail]))
      const answer = (state: 'hidden' | 'shown') =>
        aRawEvent(client, {
          client_data: state,
          data: { name: state === 'shown' ? 'Harlow Orthodontics' : '[hidden]' },
        })
      server.get(place, () => HttpResponse.json(answer('hidden')))
      server.post(`${place}/client-data`, () => {
        opened += 1
        return opened === 1
          ? HttpResponse.json({ error: 'Please try again.' }, { status: 503 })
          : HttpResponse.json(answer('shown'))
      })
    })
    await user.click(await foundRow('Client added'))
    const details = within(await inspector('Client added'))
    expect(await details.findByText(/Each opening is recorded/)).toBeInTheDocument()
    expect(details.queryByText(/Harlow/)).toBeNull()
    const open = () => details.getByRole('button', { name: "Open the client's data" })
    expect(opened).toBe(0)
    await user.click(open())
    expect(await details.findByRole('alert')).toHaveTextContent('Please try again.')
    await user.click(open())
    expect(await details.findByText(/Harlow Orthodontics/)).toBeInTheDocument()
    expect(details.getByText(/This was recorded/)).toHaveFocus()
    expect(opened).toBe(2)
    // Another event, and back: what was opened needs no second record.
    await user.click(row('Mail sent'))
    const other = within(await inspector('Mail sent'))
    expect(other.queryByText(/The data of the client/)).toBeNull()
    await user.click(row('Client added'))
    const again = within(await inspector('Client added'))
    expect(await again.findByText(/Harlow Orthodontics/)).toBeInTheDocument()
    expect(opened).toBe(2)
  })

  it('shows an error with Retry beside the timeline', async () => {
    const { user } = openAudit(
      () => server.get('/api/admin/events/billing-usr_1/17', unreachable),
      selectedAddress,
    )
    expect(await screen.findByText('Failed to fetch event: unreachable')).toBeInTheDocument()
    expect(await foundRow('Mail sent')).toBeInTheDocument()
    answerRaw(change)
    await user.click(screen.getByRole('button', { name: 'Retry' }))
    expect(await screen.findByText('Chain intact')).toBeInTheDocument()
  })
})

describe('the activity of administrators', () => {
  it('lists what they did, with a link to the history of the user', async () => {
    openAudit(undefined, '/admin/activity')
    await foundRow('Mail sent')
    expect(screen.getByRole('heading', { level: 1, name: 'Activity' })).toBeInTheDocument()
    expect(
      screen.getAllByRole('link', { name: 'dana@birchwooddental.example' })[0],
    ).toHaveAttribute('href', address)
  })

  it('requests a kind', async () => {
    const { user, search } = openAudit(undefined, '/admin/activity')
    await foundRow('Mail sent')
    await user.click(screen.getByRole('button', { name: 'Sign-ins' }))
    await waitFor(() =>
      expect(requested('/api/admin/activity')).toEqual([{ kind: 'all' }, { kind: 'sign-ins' }]),
    )
    expect(search()).toBe('?kind=sign-ins')
  })
})

describe('the events of a total', () => {
  it('have the name and the value of the total', async () => {
    openAudit(undefined, '/admin/events?total=totalRevenue')
    expect(await screen.findByRole('heading', { name: 'Total Revenue' })).toBeInTheDocument()
    expect(await screen.findByText('$41,309, €12.50')).toBeInTheDocument()
    expect(await screen.findByText('2,906 events, newest first')).toBeInTheDocument()
    expect(requested('/api/admin/events')).toEqual([{ total: 'totalRevenue' }])
  })

  it.each([
    ['totalUsers', 'Total Users', '1,284'],
    ['paying', 'Paying Customers', '449'],
    ['refunds', 'Total Refunds', '37, $1,182.40, €4.50'],
  ])('of %s are those of %s: %s', async (total, name, value) => {
    openAudit(undefined, `/admin/events?total=${total}`)
    expect(await screen.findByRole('heading', { name })).toBeInTheDocument()
    const shown = await screen.findAllByText(value)
    expect(shown.map(({ className }) => className)).toContain('audit-total num')
  })

  it('are listed if the value cannot be loaded', async () => {
    openAudit(() => server.get('/api/admin/summary', unreachable), '/admin/events?total=totalUsers')
    expect(await screen.findByText('The total could not be loaded')).toBeInTheDocument()
    expect(await foundRow('Payment succeeded')).toBeInTheDocument()
  })

  it('are none for an unknown total', async () => {
    openAudit(undefined, '/admin/events?total=nonsense')
    expect(await screen.findByRole('heading', { name: 'Total not found' })).toBeInTheDocument()
    expect(requested('/api/admin/events')).toEqual([])
  })
})
