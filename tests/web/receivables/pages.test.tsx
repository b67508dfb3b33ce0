import { describe, expect, it } from '@jest/globals'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import {
  sampleFigureEvents,
  sampleNextMessages,
  sampleNextSteps,
  samplePaying,
} from '../../support/receivables/api-samples.ts'
import { email, session } from '../support/auth-answers.ts'
import { refusal, startApiServer } from '../support/api-server.ts'
import { aBrand } from '../support/messages-data.ts'
import { openPage, preload } from '../support/open-page.tsx'
import { noFees, somePayments } from '../support/payments-data.ts'
import {
  aClient,
  aClientsPage,
  anInvoicesPage,
  anOverview,
  aStatement,
  withoutPlan,
} from '../support/receivables-data.ts'
import { aSchedule } from '../support/schedule-data.ts'

preload(
  () => import('../../../web/app/receivables-layout.tsx'),
  () => import('../../../web/features/receivables/overview/overview-page.tsx'),
  () => import('../../../web/features/receivables/invoices/invoices-page.tsx'),
  () => import('../../../web/features/receivables/client/client-page.tsx'),
)

const server = startApiServer()

/** `changeAnswers` replaces answers before the page opens. */
function open(address: string, overview = anOverview(), changeAnswers = () => {}) {
  localStorage.setItem('userEmail', email)
  server.get('/api/auth/session', session)
  server.get('/api/receivables/overview', overview)
  server.get('/api/receivables/paying', samplePaying)
  server.get('/api/receivables/needs-you', { items: [], total: 0, noStepLeft: null })
  server.get('/api/receivables/next-messages', sampleNextMessages)
  server.get('/api/receivables/next-steps', sampleNextSteps)
  server.get('/api/receivables/invoices', anInvoicesPage())
  server.get('/api/receivables/clients', aClientsPage())
  changeAnswers()
  return openPage(address)
}

const restOf = (path: string) => server.calls.filter((call) => call.path === path)

describe('the overview', () => {
  it('reads another day, and its columns then open their events', async () => {
    const { search } = open('/receivables')
    fireEvent.change(await screen.findByLabelText('As of today'), {
      target: { value: '2026-10-01' },
    })
    await waitFor(() => expect(search()).toBe('?asOf=2026-10-01'))
    await waitFor(() =>
      expect(restOf('/api/receivables/overview').at(-1)?.search).toBe('?asOf=2026-10-01'),
    )
  })

  it('ignores a day of the future and a year that is being typed', async () => {
    const { search } = open('/receivables')
    const field = await screen.findByLabelText('As of today')
    for (const value of ['2026-11-26', '0026-10-01']) fireEvent.change(field, { target: { value } })
    expect(search()).toBe('')
  })

  it('opens the events of the outstanding amount by invoice, page by page', async () => {
    const [event] = sampleFigureEvents.items
    const page = { ...sampleFigureEvents, figure: 'outstanding', amount: 90_000, total: 1_234 }
    const item = (id: string) => ({ ...event, id, sentence: `Event ${id}.` })
    const { user } = open('/receivables', undefined, () =>
      server.get('/api/receivables/events', () =>
        HttpResponse.json(
          restOf('/api/receivables/events').length === 1
            ? { ...page, items: [item('one')], next: '2026-09-01 receivable_1 7' }
            : { ...page, items: [item('two')], next: null },
        ),
      ),
    )
    expect(await screen.findByRole('link', { name: 'Import' })).toHaveAttribute(
      'href',
      '/receivables/import',
    )
    await user.click(screen.getByRole('button', { name: /Events of outstanding/ }))
    const drawer = within(await screen.findByRole('dialog'))
    expect(await drawer.findByText('Event one.')).toBeInTheDocument()
    expect(drawer.getByRole('status')).toHaveTextContent(
      '$900.00is open on 1,234 invoices. The events of each, the oldest debt first:',
    )
    await user.click(drawer.getByRole('button', { name: 'Show more events' }))
    expect(await drawer.findByText('Event two.')).toBeInTheDocument()
    expect(drawer.getByText('Event one.')).toBeInTheDocument()
    expect(drawer.queryByRole('button', { name: 'Show more events' })).toBeNull()
    const { search } = server.calls.at(-1) ?? { search: '' }
    expect(new URLSearchParams(search).get('after')).toBe('2026-09-01 receivable_1 7')
  })

  it('shows the checklist until the first invoice, which leads to the import', async () => {
    open('/receivables', anOverview({ counts: { clients: 2, invoices: 0 } }), () => {
      server.get('/api/receivables/brand', aBrand({ logo: null }))
      server.get('/api/receivables/payments', somePayments())
      server.get('/api/receivables/fees', noFees)
      server.get('/api/receivables/schedule', aSchedule())
    })
    const list = await screen.findByRole('region', { name: 'Checklist' })
    const [first, brand] = within(list).getAllByRole('listitem')
    expect(first).toHaveAttribute('aria-current', 'step')
    expect(await within(list).findByRole('link', { name: 'Change the brand' })).toHaveAttribute(
      'href',
      '/receivables/brand',
    )
    expect(brand).toHaveTextContent(/LogoNoneColor#3B4A9B/)
    expect(await within(list).findByText('3 before, 0')).toBeVisible()
    expect(list).toHaveTextContent('E-mail3 before, 0Text14SentMon to Fri, 9:30 AM')
    expect(list).toHaveTextContent('StripeNot connectedOwn linkNoneIn wordsNone')
    expect(list).toHaveTextContent('The fee is 5% of payments by card on your page: $12.00 on')
    expect(within(list).getByRole('link', { name: 'Choose how' })).toBeVisible()
    expect(within(list).getByRole('button', { name: 'Turn reminders on' })).toBeVisible()
    expect(within(list).getByRole('link', { name: 'Choose a file' })).toHaveAttribute(
      'href',
      '/receivables/import',
    )
    expect(list).toHaveTextContent('Or add them by hand: 2 clients are there.')
  })
})

describe('the list of invoices', () => {
  it('has the next step of each open invoice, or why none goes out', async () => {
    open('/receivables/invoices')
    const table = await screen.findByRole('table', { name: 'Invoices' })
    expect(await within(table).findByText('Firm text, with AD-1214')).toBeVisible()
    expect(within(table).getByText('Fri, Nov 27')).toBeVisible()
    expect(within(table).getByText('Waits')).toBeVisible()
    expect(within(table).getByText('No step left')).toBeVisible()
  })

  it('leads from an empty search to another filter that has rows', async () => {
    const { counts } = anInvoicesPage()
    const none = { ...counts, open: 0, overdue: 0, promised: 0, disputed: 0, paid: 1 }
    const empty = anInvoicesPage({ items: [], total: 0, counts: none })
    open('/receivables/invoices?search=Birch&filter=overdue', anOverview(), () =>
      server.get('/api/receivables/invoices', empty),
    )
    expect(
      await screen.findByText('No overdue invoice matches “Birch”. 1 paid invoice does.'),
    ).toBeVisible()
    fireEvent.click(screen.getByRole('button', { name: 'Show paid' }))
    await waitFor(() =>
      expect(restOf('/api/receivables/invoices').at(-1)?.search).toContain('filter=paid'),
    )
  })

  it('shows a failure in the panel and keeps the toolbar', async () => {
    open('/receivables/invoices', anOverview(), () =>
      server.get('/api/receivables/invoices', refusal(500, { error: 'The list is not ready.' })),
    )
    expect(await screen.findByText(/The list is not ready\./)).toBeVisible()
    expect(screen.getByRole('button', { name: /^Overdue/ })).toBeVisible()
    server.get('/api/receivables/invoices', anInvoicesPage())
    fireEvent.click(screen.getByRole('button', { name: 'Retry' }))
    expect(await screen.findByRole('link', { name: 'AD-1187' })).toBeVisible()
  })
})

describe('how clients pay', () => {
  it('has each percentage with its count, and opens what it consists of', async () => {
    const [event] = sampleFigureEvents.items
    const { user } = open('/receivables', undefined, () =>
      server.get('/api/receivables/events', {
        ...sampleFigureEvents,
        figure: 'promises',
        amount: 9,
        total: 12,
        items: [{ ...event, amount: 0, outcome: 'broken', sentence: 'The client promised.' }],
      }),
    )
    const strip = await screen.findByRole('region', { name: 'How clients pay' })
    const promises = await within(strip).findByRole('button', {
      name: /Events of promises kept/,
    })
    expect(strip).toHaveTextContent('9 of 12 promises, 90 days')
    expect(strip).toHaveTextContent('43%Events of reminders61 of 143 messages, 90 days')
    expect(strip).toHaveTextContent('38.2days')
    await user.click(promises)
    const drawer = await screen.findByRole('dialog', { name: 'Promises kept' })
    expect(await within(drawer).findByText('Broken')).toBeVisible()
    expect(within(drawer).getByRole('status')).toHaveTextContent(
      '75%were kept: 9 of 12 promises whose day passed in 90 days.',
    )
  })

  it('says that nothing counts, and that a load failed', async () => {
    const none = { count: 0, kept: 0, followed: 0 }
    open('/receivables', undefined, () => {
      server.get('/api/receivables/paying', refusal(500, 'Something went wrong.'))
    })
    const strip = await screen.findByRole('region', { name: 'How clients pay' })
    const again = await within(strip).findByRole('button', { name: 'Retry' })
    expect(await screen.findByRole('button', { name: /Events of outstanding/ })).toBeVisible()
    server.get('/api/receivables/paying', {
      ...samplePaying,
      dso: { days: null, outstanding: 100 },
      promises: none,
      reminders: none,
    })
    fireEvent.click(again)
    expect(await within(strip).findByText('No promised day passed in 90 days')).toBeVisible()
    expect(strip).toHaveTextContent('No reminder went out in 90 days')
    expect(strip).toHaveTextContent('Less was invoiced than is outstanding')
  })

  it('is of one client on its page', async () => {
    open('/receivables/clients/client_1', anOverview(), () => {
      server.get('/api/receivables/paying', { ...samplePaying, dso: null })
      server.get('/api/receivables/clients/client_1', aClient())
      server.get('/api/receivables/clients/client_1/statement', aStatement())
    })
    const strip = await screen.findByRole('region', { name: 'How the client pays' })
    expect(await within(strip).findByText('9 of 12 promises, 90 days')).toBeVisible()
    expect(restOf('/api/receivables/paying').at(-1)?.search).toContain('client=')
    expect(strip).not.toHaveTextContent('Days sales outstanding')
  })
})

describe('the page of a client', () => {
  it('shows the latest events first, by day, and the earlier ones when asked', async () => {
    const [event] = aClient().timeline
    if (event === undefined) throw new Error('The client has no event.')
    // Recorded in the order of their days, and the last one of a past day.
    const timeline = Array.from({ length: 60 }, (_, index) => ({
      ...event,
      id: `event_${index}`,
      sentence: `Event ${index}.`,
      day:
        index === 0
          ? '2026-09-01'
          : `2026-11-${String(25 - Math.floor(index / 3)).padStart(2, '0')}`,
    }))
    open('/receivables/clients/client_1', anOverview(), () => {
      server.get('/api/receivables/clients/client_1', aClient({ timeline }))
      server.get('/api/receivables/clients/client_1/statement', aStatement())
    })
    const more = await screen.findByRole('button', { name: /^Show \d+ earlier events$/ })
    const shown = () => screen.getAllByText(/^Event \d+\.$/).map(({ textContent }) => textContent)
    expect(shown().length).toBeLessThan(25)
    expect(shown()[0]).toBe('Event 1.')
    expect(more).toHaveTextContent(`Show ${60 - shown().length} earlier events`)
    fireEvent.click(more)
    expect(shown()).toHaveLength(60)
    expect(shown().at(-1)).toBe('Event 0.')
  })

  it('without a plan offers nothing but to erase the client', async () => {
    open('/receivables/clients/client_1', anOverview(), () => {
      server.get('/api/receivables/clients/client_1', aClient({ access: withoutPlan }))
      server.get('/api/receivables/clients/client_1/statement', aStatement())
    })
    const acts = await screen.findByRole('group', { name: 'Acts on the client' })
    const names = within(acts)
      .getAllByRole('button')
      .map(({ textContent }) => textContent)
    expect(names).toEqual(['Erase'])
    for (const name of ['Change', 'Add invoice', 'Return it'])
      expect(screen.queryByRole('button', { name })).toBeNull()
  })

  it('offers a new hold after the end of the last one', async () => {
    open('/receivables/clients/client_1', anOverview(), () => {
      const hold = { reason: 'Moves house', until: '2026-11-20', isOver: true }
      server.get('/api/receivables/clients/client_1', aClient({ hold }))
      server.get('/api/receivables/clients/client_1/statement', aStatement())
    })
    expect(await screen.findByRole('button', { name: 'Hold' })).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Release the hold' })).toBeNull()
  })

  it('erases only after the name is typed, and says what stays', async () => {
    open('/receivables/clients/client_1', anOverview(), () => {
      server.get('/api/receivables/clients/client_1', aClient())
      server.get('/api/receivables/clients/client_1/statement', aStatement())
    })
    fireEvent.click(await screen.findByRole('button', { name: 'Erase' }))
    const dialog = await screen.findByRole('dialog')
    expect(dialog).toHaveTextContent('5 invoices stay with amounts and dates.')
    server.post(
      '/api/receivables/clients/client_1/acts',
      refusal(409, { error: 'The name is not that of the client.', field: 'name' }),
    )
    fireEvent.change(within(dialog).getByLabelText(/^Type the name/), { target: { value: 'Gr' } })
    fireEvent.click(within(dialog).getByRole('button', { name: 'Erase for good' }))
    expect(await within(dialog).findByText('The name is not that of the client.')).toBeVisible()
    expect(server.sentTo('/api/receivables/clients/client_1/acts')).toEqual([
      { type: 'erase', name: 'Gr' },
    ])
  })
})

describe('the messages of the overview', () => {
  it('has what goes out next, with its reason and what is open', async () => {
    open('/receivables')
    expect(
      await screen.findByText('3 sent today. 1 more until Nov 27, 2026 if nothing is paid'),
    ).toBeVisible()
    const panel = screen.getByRole('region', { name: 'What goes out next' })
    expect(panel).toHaveTextContent(
      'Friday, Nov 27, 20261 message9:30 AMGrace WhitakerFirm text, AD-118714 days after the due date.$840.00',
    )
    expect(panel).toHaveTextContent(
      'Not sent by Nov 27, 20261 step, each with its reasonNov 27, 2026Grace WhitakerFriendly text, AD-1198No e-mail address, no consent to texts.$2,640.00',
    )
    expect(within(panel).getByRole('button', { name: /: 0 messages, 3 sent/ })).toBeVisible()
  })

  it('has bounced addresses, unknown messages and invoices without a step left', async () => {
    const [first] = anOverview().needsYou
    if (first === undefined) throw new Error('The sample has a row.')
    const row = { ...first, receivableId: null, number: null }
    open(
      '/receivables',
      anOverview({
        needsYou: [
          { ...row, kind: 'bounced' },
          { ...row, kind: 'unknown' },
        ],
        needsYouTotal: 2,
      }),
      () =>
        server.get('/api/receivables/needs-you', {
          noStepLeft: {
            invoices: 6,
            clients: 4,
            sums: [{ currency: 'usd', amount: 356_050 }],
            daysOverdue: { most: 94, least: 34 },
          },
          items: [{ ...row, kind: 'opted-out', clientName: 'Lucia Marchetti' }],
          total: 1,
        }),
    )
    expect(await screen.findByText('Lucia Marchetti')).toBeVisible()
    const panel = within(screen.getByRole('region', { name: 'Needs you' }))
    expect(panel.getByText('4')).toBeVisible()
    expect(panel.getByRole('link', { name: 'Correct the address' })).toHaveAttribute(
      'href',
      '/receivables/clients/client_1?act=change',
    )
    expect(panel.getByRole('link', { name: 'Send now' })).toHaveAttribute(
      'href',
      '/receivables/clients/client_1?act=send-now',
    )
    expect(panel.getByText(/Every step ended/).parentElement).toHaveTextContent(
      '6 invoicesEvery step ended, and 6 invoices of 4 clients are still open.See the invoices',
    )
    expect(panel.getByRole('link', { name: 'See the invoices' })).toHaveAttribute(
      'href',
      '/receivables/invoices?steps=none-left',
    )
  })
})

describe('the set-up', () => {
  const off = (since: string | null) => anOverview({ reminders: { isOn: false, since } })
  const answers = (payments = somePayments({ hasWay: true })) => {
    server.get('/api/receivables/brand', aBrand())
    server.get('/api/receivables/payments', payments)
    server.get('/api/receivables/schedule', aSchedule({ savedAt: null }))
  }

  it('is one line after the first import, until reminders are on', async () => {
    open('/receivables', off(null), answers)
    const line = await screen.findByText(/Set-up: 3 of 5\./)
    expect(line.parentElement).toHaveTextContent(
      'No reminder goes out before you turn reminders on. Next: schedule.',
    )
    expect(screen.getByRole('button', { name: 'Turn reminders on' })).toBeVisible()
  })

  it('leads to the ways to pay before one of them can be used', async () => {
    open('/receivables', off(null), () => answers(somePayments()))
    const line = await screen.findByText(/Set-up: 2 of 5\./)
    expect(
      within(line.parentElement ?? line).getByRole('link', { name: 'payments' }),
    ).toHaveAttribute('href', '/receivables/payments')
  })

  it('says since when reminders are off', async () => {
    open('/receivables', off('2026-11-18T18:00:00.000Z'), answers)
    expect(await screen.findByText(/Reminders are off since Nov 18, 2026/)).toBeVisible()
  })

  it('is gone while reminders are on', async () => {
    open('/receivables')
    expect(await screen.findByText('Reminders on')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Turn reminders on' })).toBeNull()
  })
})
