import { describe, expect, it } from '@jest/globals'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import {
  changeScheduleRequest,
  schedulePreviewRequest,
  type SchedulePreview,
  type ScheduleResponse,
  type StepResults,
} from '#contracts/receivables/schedule'
import { email, session } from '../support/auth-answers.ts'
import { startApiServer } from '../support/api-server.ts'
import { openPage, preload } from '../support/open-page.tsx'
import { anOverview, withoutPlan } from '../support/receivables-data.ts'
import { aSchedule } from '../support/schedule-data.ts'

preload(
  () => import('../../../web/app/receivables-layout.tsx'),
  () => import('../../../web/features/receivables/schedule/schedule-page.tsx'),
)

const server = startApiServer()
const path = '/api/receivables/schedule'
const since = '2026-10-02T16:00:00.000Z'
const saved = aSchedule()

const preview: SchedulePreview = {
  days: Array.from({ length: 30 }, (_, index) => ({
    day: new Date(Date.parse('2026-11-25') + index * 86_400_000).toISOString().slice(0, 10),
    isSendingDay: index % 7 < 3,
    mails: index === 2 ? 1 : index === 5 ? 16 : 0,
    texts: index === 2 ? 1 : 0,
    added: index === 2 ? 1 : 0,
    skipped: index === 2 ? 1 : 0,
  })),
  messages: [
    {
      day: '2026-11-27',
      clientId: 'client_1',
      clientName: 'Henrik Solberg',
      channel: 'mail',
      tone: 'firm',
      isAdded: true,
      invoices: [
        {
          receivableId: 'receivable_1',
          number: 'AD-1159',
          open: 74_000,
          currency: 'usd',
          reason: '7 days after the due date. Thu, Nov 26 is a day off.',
        },
      ],
    },
  ],
  goesOut: { mails: 17, texts: 1, clients: 2 },
  skipped: [{ reason: 'No e-mail address, no consent to texts', steps: 1 }],
  firstWeek: 18,
  catchUps: 9,
  replaced: 68,
  dailyLimit: 200,
  past: [],
  computedFrom: { clients: 2, invoices: 28 },
  all: { clients: 2, invoices: 28 },
}

async function open(
  over: Partial<ScheduleResponse> = {},
  results: StepResults['steps'] = [],
): Promise<void> {
  localStorage.setItem('userEmail', email)
  server.get('/api/auth/session', session)
  server.get('/api/receivables/overview', anOverview())
  server.get(path, { ...saved, ...over })
  server.post(`${path}/preview`, preview)
  server.get(`${path}/results`, { since: '2026-08-27', steps: results })
  openPage('/receivables/schedule')
  await screen.findByRole('heading', { name: 'Steps' })
}

const button = (name: string | RegExp) => screen.getByRole('button', { name })
const rows = () =>
  within(screen.getByRole('list', { name: 'Steps' }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)

/** What Save sends, as the server reads it. */
async function save() {
  server.post(path, { version: 5 })
  fireEvent.click(button('Save schedule'))
  const sent = () => server.sentTo(path).filter((body) => body !== undefined)
  await waitFor(() => expect(sent()).toHaveLength(1))
  const [body] = sent()
  return changeScheduleRequest.parse(body)
}

describe('the page of the schedule', () => {
  it('shows the steps in order, and nothing to save', async () => {
    await open()
    expect(
      screen.getByText('For every invoice of Alder Dental. Last saved Oct 2, 2026'),
    ).toBeVisible()
    expect(rows()).toEqual([
      '3 days beforeFriendly e-mailChange',
      'On the due dateFriendly e-mailChange',
      '14 days afterFirm textChange',
    ])
    expect(screen.queryByRole('button', { name: 'Save schedule' })).toBeNull()
    expect(screen.getByText(/Nothing goes out until you turn reminders on/)).toBeVisible()
  })

  it('moves a step with the arrow keys, and the fields follow', async () => {
    await open()
    const stem = button('Firm text, 14 days after')
    stem.focus()
    fireEvent.keyDown(stem, { key: 'ArrowRight' })
    fireEvent.keyDown(stem, { key: 'ArrowRight' })
    fireEvent.keyDown(stem, { key: 'ArrowUp' })
    fireEvent.keyDown(stem, { key: 'ArrowUp' })
    expect(stem).toHaveFocus()
    expect(stem).toHaveAccessibleName('Final text, 16 days after, not saved')
    expect(screen.getByLabelText('Days')).toHaveValue('16')
    expect(screen.getByText('1 step changed, not saved')).toBeVisible()
    const { schedule, basedOn, timeZone } = await save()
    expect(schedule.steps[2]).toEqual({
      stepId: saved.schedule.steps[2]?.stepId,
      offset: 16,
      tone: 'final',
      channel: 'text',
      includesPast: false,
    })
    expect({ basedOn, timeZone }).toEqual({ basedOn: 4, timeZone: 'America/Chicago' })
  })

  it('takes a change back without a trace', async () => {
    await open()
    const stem = button('Friendly e-mail, 3 days before')
    fireEvent.keyDown(stem, { key: 'ArrowLeft' })
    expect(button('Save schedule')).toBeVisible()
    fireEvent.keyDown(stem, { key: 'ArrowRight' })
    expect(screen.queryByRole('button', { name: 'Save schedule' })).toBeNull()
  })

  it('adds a step for past invoices only if that is ticked, and for another day asks again', async () => {
    await open()
    fireEvent.click(button('Add step'))
    expect(screen.getByLabelText('Days')).toHaveFocus()
    fireEvent.change(screen.getByLabelText('Days'), { target: { value: '45' } })
    fireEvent.click(button('Final'))
    expect(screen.getByText(/New step: final e-mail, 45 days after the due date\./)).toBeVisible()
    const past = screen.getByLabelText('Also send it for the invoices that are past that day.')
    fireEvent.click(past)
    expect(past).toBeChecked()
    fireEvent.change(screen.getByLabelText('Days'), { target: { value: '50' } })
    expect(past).not.toBeChecked()
    fireEvent.click(past)
    fireEvent.click(button('Done'))
    expect(rows().at(-1)).toBe('50 days afterFinal e-mailChange')
    const { schedule } = await save()
    expect(schedule.steps.at(-1)).toMatchObject({ offset: 50, tone: 'final', includesPast: true })
  })

  it('puts a step before the due date, and shows the last number after a text that is none', async () => {
    await open()
    fireEvent.click(button('Change: Firm text, 14 days after'))
    const days = screen.getByLabelText('Days')
    fireEvent.change(days, { target: { value: 'two' } })
    expect(days).toHaveAccessibleDescription('0 to 365')
    fireEvent.blur(days)
    expect(days).toHaveValue('14')
    fireEvent.change(screen.getByLabelText('Due date'), { target: { value: 'before' } })
    expect(button(/14 days before, not saved/)).toBeVisible()
    fireEvent.change(days, { target: { value: '61' } })
    expect(days).toHaveAccessibleDescription('0 to 60')
  })

  it('says what is wrong before it is sent', async () => {
    await open()
    fireEvent.click(button('Change: Friendly e-mail, on the due date'))
    fireEvent.change(screen.getByLabelText('Due date'), { target: { value: 'before' } })
    fireEvent.change(screen.getByLabelText('Days'), { target: { value: '3' } })
    expect(screen.getByRole('alert')).toHaveTextContent('Two steps have the same day')
    expect(button('Save schedule')).toBeDisabled()
    fireEvent.click(button('Remove'))
    expect(screen.getByRole('alert')).toBeEmptyDOMElement()
    expect(button('Save schedule')).toBeEnabled()
  })

  it('saves days, hour, zone, limit, holidays, repetition and thanks', async () => {
    await open()
    fireEvent.click(button('Saturday'))
    fireEvent.click(button('Monday'))
    fireEvent.change(screen.getByLabelText('Sending hour'), { target: { value: '10:15' } })
    fireEvent.change(screen.getByLabelText('Your time zone'), {
      target: { value: 'Pacific/Honolulu' },
    })
    fireEvent.change(screen.getByLabelText('Most messages for one client in 7 days'), {
      target: { value: '2' },
    })
    // Veterans Day has passed, and Independence Day is a Sunday.
    fireEvent.click(button('Add 2 federal holidays'))
    fireEvent.click(button(/^Remove Fri,.Dec.25/))
    fireEvent.click(screen.getByLabelText('Repeat the last step until the invoice is paid'))
    fireEvent.change(screen.getByLabelText('Days between two repetitions'), {
      target: { value: '10' },
    })
    fireEvent.click(screen.getByRole('switch', { name: 'Thank you' }))
    expect(screen.getByText('7 settings changed, not saved')).toBeVisible()
    expect(await save()).toMatchObject({
      schedule: {
        sendingDays: [2, 3, 4, 5, 6],
        sendingTime: '10:15',
        messagesPerWeek: 2,
        daysOff: ['2026-11-26'],
        repeatLastEvery: 10,
        thanks: true,
      },
      timeZone: 'Pacific/Honolulu',
    })
  })

  it('adds a day off that has not passed', async () => {
    await open()
    fireEvent.click(button('Add a date'))
    fireEvent.change(screen.getByLabelText('Day off'), { target: { value: '2026-11-24' } })
    fireEvent.click(button('Add'))
    expect(screen.getByText('Choose today or a later day.')).toBeVisible()
    fireEvent.change(screen.getByLabelText('Day off'), { target: { value: '2026-12-24' } })
    fireEvent.click(button('Add'))
    expect(screen.getByText(/^Thu,.Dec.24/)).toBeVisible()
    expect(screen.queryByLabelText('Day off')).toBeNull()
  })

  it('keeps the changes if another tab saved meanwhile, and shows the other ones after Discard', async () => {
    await open()
    fireEvent.click(screen.getByRole('switch', { name: 'Thank you' }))
    const sentence = 'The schedule was changed in another window meanwhile.'
    server.post(path, { status: 409, json: { error: sentence, code: 'changed-meanwhile' } })
    server.get(path, { ...saved, version: 5, schedule: { ...saved.schedule, messagesPerWeek: 1 } })
    fireEvent.click(button('Save schedule'))
    expect(await screen.findByText(sentence)).toBeVisible()
    const limit = screen.getByLabelText('Most messages for one client in 7 days')
    expect(limit).toHaveValue('3')
    fireEvent.click(button('Discard'))
    await waitFor(() =>
      expect(screen.getByLabelText('Most messages for one client in 7 days')).toHaveValue('1'),
    )
    expect(screen.queryByText(sentence)).toBeNull()
    expect(screen.getByRole('switch', { name: 'Thank you' })).not.toBeChecked()
  })

  it('is for reading without a plan', async () => {
    await open({ access: withoutPlan })
    expect(screen.getByText(withoutPlan.sentence)).toBeVisible()
    expect(button('Firm text, 14 days after')).toBeDisabled()
    expect(screen.queryByRole('button', { name: 'Add step' })).toBeNull()
    expect(screen.getByRole('switch', { name: 'Thank you' })).toBeDisabled()
  })

  it('says why an administrator stopped all messages', async () => {
    await open({ stopped: { reason: 'Clients complain.', at: '2026-11-24T18:00:00.000Z' } })
    expect(screen.getByText(/on Nov 24, 2026: Clients complain\./)).toBeVisible()
  })
})

describe('the next 30 days', () => {
  const previewed = () => server.sentTo(`${path}/preview`)
  const ofDay = (name: RegExp) => screen.findByRole('button', { name })

  it('show the messages of the first day, with their reasons, and of a chosen day', async () => {
    await open()
    const first = await ofDay(
      /^Fri,.Nov.27,.2026: 2 messages, 1 added by the changes, 1 step not sent/,
    )
    expect(first).toHaveAttribute('aria-pressed', 'true')
    expect(screen.getByRole('link', { name: 'Henrik Solberg' })).toHaveAttribute(
      'href',
      '/receivables/clients/client_1',
    )
    expect(screen.getByText(/\$740\.00\. 7 days after the due date\./)).toBeVisible()
    expect(screen.getByText('No e-mail address, no consent to texts')).toBeVisible()
    expect(screen.getByText(/^From 28 open invoices, if nothing is paid/)).toBeVisible()
    const busy = await ofDay(/^Mon,.Nov.30,.2026: 16 messages/)
    expect(busy).toHaveTextContent(/^4Mo30$/)
    fireEvent.click(busy)
    expect(screen.getByRole('heading', { name: /Monday, Nov 30, 2026: 16 messages/ })).toBeVisible()
  })

  it('follow the draft before it is saved, once for several presses', async () => {
    await open()
    await ofDay(/^Fri,.Nov.27/)
    fireEvent.click(button('Saturday'))
    fireEvent.click(button('Sunday'))
    await waitFor(() => expect(previewed()).toHaveLength(2))
    expect(previewed()[1]).toMatchObject({ schedule: { sendingDays: [1, 2, 3, 4, 5, 6, 7] } })
    expect(await screen.findByText(/^With the changes, from 28 open invoices/)).toBeVisible()
    expect(screen.getByText('Added by the changes')).toBeVisible()
  })

  it('say that they are of the first clients only', async () => {
    await open()
    server.post(`${path}/preview`, { ...preview, all: { clients: 9_000, invoices: 40_000 } })
    fireEvent.click(button('Saturday'))
    expect(
      await screen.findByText(/the first 2 clients of 9,000, because more take too long/),
    ).toBeVisible()
  })

  it('that cannot be computed leave the page usable', async () => {
    await open()
    server.post(`${path}/preview`, { status: 503, json: { error: 'The list is being built.' } })
    await ofDay(/^Fri,.Nov.27/)
    fireEvent.click(button('Saturday'))
    await waitFor(() => expect(previewed()).toHaveLength(2))
    expect(button('Save schedule')).toBeEnabled()
  })
})

describe('turning reminders on and off', () => {
  it('shows the first seven days and the limit before it turns on', async () => {
    await open()
    fireEvent.click(button('Turn reminders on'))
    const dialog = await screen.findByRole('dialog', { name: 'Turn reminders on' })
    await waitFor(() =>
      expect(dialog).toHaveTextContent(
        'The first seven days bring 18 messages, the first on Fri, Nov 27, 2026.',
      ),
    )
    expect(dialog).toHaveTextContent('E-mails17Texts1')
    expect(dialog).toHaveTextContent('Catch-ups: the latest missed step of an invoice9')
    expect(dialog).toHaveTextContent('Most clients in a day200')
    expect(server.sentTo(`${path}/turn-on`)).toEqual([])
    server.post(`${path}/turn-on`, { isOn: true })
    server.get(path, { ...saved, isOn: true, isOnSince: '2026-11-25T18:00:00.000Z' })
    fireEvent.click(within(dialog).getByRole('button', { name: /^Turn on, first message Nov\s27/ }))
    expect(await screen.findByText('On since Nov 25, 2026.')).toBeVisible()
    expect(server.sentTo(`${path}/turn-on`)).toHaveLength(1)
  })

  it('says that steps stay open before it turns off', async () => {
    await open({ isOn: true, isOnSince: since })
    fireEvent.click(button('Turn reminders off'))
    const dialog = await screen.findByRole('dialog', { name: 'Turn reminders off' })
    expect(dialog).toHaveTextContent('Nothing goes out from this moment.')
    expect(dialog).toHaveTextContent('Their stepsStay open')
    await waitFor(() => expect(dialog).toHaveTextContent('Planned in 30 days, not sent18'))
    server.post(`${path}/turn-off`, { isOn: false })
    server.get(path, { ...saved, isOnSince: '2026-11-25T18:00:00.000Z' })
    fireEvent.click(within(dialog).getByRole('button', { name: 'Turn off' }))
    expect(await screen.findByText(/Off since Nov 25, 2026/)).toBeVisible()
  })

  it('cannot turn on without a plan', async () => {
    await open({ access: withoutPlan })
    expect(screen.queryByRole('button', { name: 'Turn reminders on' })).toBeNull()
  })

  it('can turn off without a plan', async () => {
    await open({ access: withoutPlan, isOn: true, isOnSince: since })
    expect(button('Turn reminders off')).toBeVisible()
  })
})

describe('the steps with their results', () => {
  it('show how often they went out, and what share a payment followed', async () => {
    const [first] = saved.schedule.steps
    await open({}, [{ stepId: first?.stepId ?? '', sent: 96, paid: 22 }])
    await waitFor(() =>
      expect(rows()[0]).toBe('3 days beforeFriendly e-mail96 sent22.9% paid in 3 daysChange'),
    )
    expect(screen.getByText(/Sent since Aug\s27,\s2026/)).toBeVisible()
  })

  it('say how many open invoices are past the day of a new step', async () => {
    await open()
    server.post(`${path}/preview`, () => {
      const asked = server.sentTo(`${path}/preview`).at(-1)
      const { schedule } = schedulePreviewRequest.parse(asked)
      const past = schedule.steps.slice(-1).map(({ stepId }) => ({ stepId, invoices: 7 }))
      return HttpResponse.json({ ...preview, past })
    })
    fireEvent.click(button('Add step'))
    expect(
      await screen.findByText(/7 open invoices are past that day already\. They do not get it/),
    ).toBeVisible()
    fireEvent.click(screen.getByRole('checkbox', { name: 'Also send it for these 7 invoices.' }))
    expect(await screen.findByText(/The step goes out for them once, as a catch-up/)).toBeVisible()
    expect((await save()).schedule.steps.at(-1)).toMatchObject({ includesPast: true })
  })
})

describe('leaving with unsaved changes', () => {
  it('asks first, and stays on the page with what is typed', async () => {
    await open()
    fireEvent.click(button('Add step'))
    fireEvent.click(screen.getByRole('link', { name: 'Overview' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Leave without saving?' }))
    fireEvent.click(dialog.getByRole('button', { name: 'Stay' }))
    expect(screen.getByText('1 step added, not saved')).toBeVisible()
    fireEvent.click(screen.getByRole('link', { name: 'Overview' }))
    fireEvent.click(await screen.findByRole('button', { name: 'Leave' }))
    await waitFor(() => expect(screen.queryByRole('heading', { name: 'Steps' })).toBeNull())
  })

  it('asks nothing without a change', async () => {
    await open()
    fireEvent.click(screen.getByRole('link', { name: 'Overview' }))
    await waitFor(() => expect(screen.queryByRole('heading', { name: 'Steps' })).toBeNull())
    expect(screen.queryByRole('dialog')).toBeNull()
  })
})
