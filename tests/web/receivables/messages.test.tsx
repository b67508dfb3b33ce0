import { describe, expect, it } from '@jest/globals'
import { screen, waitFor, within } from '@testing-library/react'
import type { InvoiceResponse } from '#contracts/receivables/invoice'
import type { ComingMessages, SendNowPreview } from '#contracts/receivables/messages'
import {
  sampleInvoice,
  sampleMessage,
  samplePaying,
} from '../../support/receivables/api-samples.ts'
import { email, session } from '../support/auth-answers.ts'
import { refusal, startApiServer } from '../support/api-server.ts'
import { openPage, preload } from '../support/open-page.tsx'
import {
  aClient,
  anInvoice,
  anInvoicesPage,
  anOverview,
  aStatement,
} from '../support/receivables-data.ts'

preload(
  () => import('../../../web/app/receivables-layout.tsx'),
  () => import('../../../web/features/receivables/invoice/invoice-page.tsx'),
  () => import('../../../web/features/receivables/client/client-page.tsx'),
)

const server = startApiServer()
const [message] = sampleInvoice.coming.messages
const [step] = message?.steps ?? []
if (message === undefined || step === undefined) throw new Error('The sample has a message.')

const coming = (changes: Partial<ComingMessages> = {}): ComingMessages => ({
  stillness: null,
  messages: [
    { ...message, steps: [{ ...step, receivableId: 'receivable_1' }] },
    {
      ...message,
      day: '2026-12-14',
      at: '2026-12-14T17:30:00.000Z',
      channel: 'mail',
      tone: 'final',
      steps: [
        { ...step, receivableId: 'receivable_1', reason: '30 days after the due date.' },
        { ...step, receivableId: 'receivable_2', number: 'AD-1221' },
      ],
    },
  ],
  skips: [],
  waiting: [],
  ...changes,
})

const sent: InvoiceResponse['timeline'][number] = {
  id: 'event_9',
  type: 'MessageSent',
  mark: 'mail',
  title: 'Firm e-mail sent',
  sentence: '7 days after the due date. To g.whitaker@postbox.example.',
  change: null,
  currency: null,
  day: '2026-11-20',
  recordedAt: '2026-11-20T17:30:00.000Z',
  receivableId: 'receivable_1',
  number: 'AD-1187',
  messageId: 'message_1',
}

function open(address: string, changes: Partial<InvoiceResponse> = {}) {
  localStorage.setItem('userEmail', email)
  server.get('/api/auth/session', session)
  server.get('/api/receivables/overview', anOverview())
  server.get('/api/receivables/paying', samplePaying)
  const invoice = anInvoice({ coming: coming(), ...changes })
  server.get('/api/receivables/invoices/receivable_1', {
    ...invoice,
    timeline: [sent, ...invoice.timeline],
  })
  server.get('/api/receivables/clients/client_1', aClient({ coming: coming() }))
  server.get('/api/receivables/invoices', anInvoicesPage())
  server.get('/api/receivables/clients/client_1/statement', aStatement())
  return openPage(address)
}

const nextPanel = async () => within(await screen.findByRole('region', { name: 'Next message' }))

describe('the page of an invoice', () => {
  it('says what comes, when and why, above the row of now', async () => {
    open('/receivables/invoices/receivable_1')
    const panel = await nextPanel()
    expect(panel.getByText('Friday, Nov 27, 2026, 9:30 AM')).toBeVisible()
    expect(panel.getByText('14 days after the due date.')).toBeVisible()
    const history = screen.getByRole('region', { name: 'History' })
    expect(history).toHaveTextContent(
      'Dec 14, 2026Final e-mail30 days after the due date. One e-mail with AD-1221.',
    )
    expect(history.textContent.indexOf('Final e-mail')).toBeLessThan(
      history.textContent.indexOf('Now.'),
    )
  })

  it('opens a message as it was sent', async () => {
    const { user } = open('/receivables/invoices/receivable_1')
    server.get('/api/receivables/clients/client_1/messages/message_1', sampleMessage)
    await user.click(await screen.findByRole('button', { name: /See the e-mail/ }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Firm e-mail' }))
    expect(
      dialog.getByRole('heading', { name: 'Invoice AD-1187 of Alder Dental is 7 days late' }),
    ).toBeVisible()
    expect(dialog.getByText('Dear Grace Whitaker, $840.00 is open.')).toBeVisible()
  })

  it('skips a step after a confirmation', async () => {
    const { user } = open('/receivables/invoices/receivable_1')
    const path = '/api/receivables/invoices/receivable_1/skip-step'
    server.post(path, { receivableId: 'receivable_1' })
    const panel = await nextPanel()
    await user.click(panel.getByRole('button', { name: 'Skip this step' }))
    const dialog = within(await screen.findByRole('dialog', { name: /Skip the firm text/ }))
    expect(server.sentTo(path)).toEqual([])
    await user.click(dialog.getByRole('button', { name: 'Skip the step' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(server.sentTo(path)).toEqual([{ stepId: step.stepId, repetition: 0 }])
  })

  it('says why nothing goes out', async () => {
    open('/receivables/invoices/receivable_1', {
      coming: coming({ messages: [], stillness: 'Reminders are off.' }),
    })
    const panel = await nextPanel()
    expect(panel.getByText('Reminders are off.')).toBeVisible()
  })
})

describe('steps that wait or do not go out', () => {
  const steps = [1, 2, 3].map((index) => ({
    ...step,
    receivableId: 'receivable_1',
    stepId: `${step.stepId.slice(0, -1)}${index}`,
    reason: 'It waits for the end of the hold.',
  }))
  const paused = coming({
    messages: [],
    waiting: steps,
    skips: steps.map((each) => ({ ...each, day: '2026-11-30', reason: 'Paid.' })),
  })

  it('are one row per reason on the page of a client', async () => {
    open('/receivables/clients/client_1')
    server.get('/api/receivables/clients/client_1', aClient({ coming: paused }))
    const history = await screen.findByRole('region', { name: 'Timeline' })
    expect(history).toHaveTextContent('No day yet3 steps waitIt waits for the end of the hold.')
    expect(history).toHaveTextContent('Nov 30, 20263 steps do not go outPaid.')
  })

  it('have a row each on the page of an invoice', async () => {
    open('/receivables/invoices/receivable_1', { coming: paused })
    await nextPanel()
    expect(screen.getAllByText('Firm text, waits')).toHaveLength(3)
  })
})

describe('sending now', () => {
  const path = '/api/receivables/clients/client_1/send-now'
  const preview: SendNowPreview = {
    message: {
      key: 'preview_1',
      channel: 'mail',
      tone: 'firm',
      to: 'g.whitaker@postbox.example',
      subject: 'Invoice AD-1187 is late',
      body: 'Dear Grace',
      invoices: [{ receivableId: 'receivable_1', number: 'AD-1187' }],
    },
    refused: null,
  }

  async function openDialog(answer: SendNowPreview) {
    const { user } = open('/receivables/clients/client_1')
    server.post(`${path}/preview`, answer)
    const panel = await nextPanel()
    await user.click(panel.getByRole('button', { name: 'Send now' }))
    return { user, dialog: within(await screen.findByRole('dialog', { name: 'Send now' })) }
  }

  it('shows the message first, and sends what was shown', async () => {
    const { user, dialog } = await openDialog(preview)
    expect(await dialog.findByText('Dear Grace')).toBeVisible()
    expect(server.sentTo(path)).toEqual([])
    server.post(path, { messageId: 'message_2' })
    await user.click(dialog.getByRole('button', { name: 'Send the e-mail' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(server.sentTo(path)).toEqual([{ key: 'preview_1' }])
  })

  it('shows why nothing can go out', async () => {
    const { dialog } = await openDialog({
      message: null,
      refused: 'The client had a message today.',
    })
    expect(await dialog.findByText('The client had a message today.')).toBeVisible()
  })

  it('shows the message that it became after a refusal', async () => {
    const { user, dialog } = await openDialog(preview)
    await dialog.findByText('Dear Grace')
    server.post(path, refusal(409, { error: 'The message became another one.' }))
    server.post(`${path}/preview`, {
      ...preview,
      message: preview.message && {
        ...preview.message,
        body: 'Dear Grace, again',
        key: 'preview_2',
      },
    })
    await user.click(dialog.getByRole('button', { name: 'Send the e-mail' }))
    expect(await dialog.findByText('Dear Grace, again')).toBeVisible()
    expect(dialog.getByRole('alert')).toHaveTextContent('The message became another one.')
  })
})
