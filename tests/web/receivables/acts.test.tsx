import { describe, expect, it } from '@jest/globals'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { invoiceAct } from '#contracts/receivables/invoice-requests'
import { email, session } from '../support/auth-answers.ts'
import { refusal, startApiServer, unreachable } from '../support/api-server.ts'
import { openPage, preload } from '../support/open-page.tsx'
import { anInvoice, withoutPlan } from '../support/receivables-data.ts'

preload(
  () => import('../../../web/app/receivables-layout.tsx'),
  () => import('../../../web/features/receivables/invoice/invoice-page.tsx'),
)

const server = startApiServer()
const invoicePath = '/api/receivables/invoices/receivable_1'
const recorded = { receivableId: 'receivable_1', open: 0, version: 4 }

async function openInvoice(invoice = anInvoice()): Promise<void> {
  localStorage.setItem('userEmail', email)
  server.get('/api/auth/session', session)
  server.get(invoicePath, invoice)
  openPage('/receivables/invoices/receivable_1')
  await screen.findByRole('heading', { level: 1, name: 'AD-1187' })
}

async function openAct(name: string): Promise<HTMLElement> {
  fireEvent.click(screen.getByRole('button', { name }))
  return screen.findByRole('dialog')
}

const type = (dialog: HTMLElement, label: RegExp, value: string) =>
  fireEvent.change(within(dialog).getByLabelText(label), { target: { value } })

describe('the figures of an invoice', () => {
  it('open the events that they consist of, in the history', async () => {
    await openInvoice()
    const history = () =>
      [...document.querySelectorAll('#history li b')].map(({ textContent }) => textContent)
    expect(history()).toEqual(['Now.', 'Payment recorded', 'Invoice added'])
    for (const [figure, events] of [
      ['paid', ['Payment recorded']],
      ['overdue since', ['Invoice added']],
      ['issued', ['Invoice added']],
      ['open', ['Payment recorded', 'Invoice added']],
    ] as const) {
      fireEvent.click(
        screen.getByRole('button', { name: new RegExp(`Events of ${figure} in the history$`) }),
      )
      expect(history()).toEqual(['Now.', ...events])
      expect(document.activeElement).toHaveAttribute('id', 'history')
    }
    fireEvent.click(screen.getByRole('button', { name: 'Show all' }))
    expect(history()).toHaveLength(3)
  })
})

describe('the payments of an invoice', () => {
  it('have a receipt, also while the merchant may change nothing', async () => {
    await openInvoice(anInvoice({ access: withoutPlan }))
    const path = `${invoicePath}/payments/payment_1/receipt/pdf`
    server.get(path, unreachable)
    fireEvent.click(screen.getByRole('button', { name: 'Download Receipt of $400.00 as PDF' }))
    expect(
      await screen.findByText('Receipt of $400.00 could not be exported. Try again.'),
    ).toBeVisible()
  })

  it('say that one is on its way, and that reminders wait', async () => {
    const { agreements } = anInvoice()
    await openInvoice(anInvoice({ agreements: { ...agreements, onItsWay: 84_000 } }))
    expect(
      screen.getByText(
        'A payment of $840.00 is on its way. A bank debit takes days, and reminders wait until it arrives or fails.',
      ),
    ).toBeVisible()
  })
})

describe('the acts on an invoice', () => {
  it('have a button each, apart from those beside the details, a payment or a credit', async () => {
    const besides = new Set(['change', 'correct-payment', 'reverse-payment', 'take-credit-back'])
    const types = invoiceAct.options.map(({ shape }) => shape.type.value)
    const acts = types.map((act) => ({ type: act, mayDo: true, code: null, sentence: null }))
    await openInvoice(anInvoice({ acts }))
    const band = screen.getByRole('group', { name: 'Acts on AD-1187' })
    expect(within(band).getAllByRole('button')).toHaveLength(
      types.filter((act) => !besides.has(act)).length,
    )
  })

  it('says what a part payment leaves open, and sends the open amount that the form showed', async () => {
    await openInvoice()
    const dialog = await openAct('Record payment')
    expect(dialog).toHaveTextContent('AD-1187 is then paid. Nothing stays open.')
    type(dialog, /^Amount/, '1,00.5')
    fireEvent.click(within(dialog).getByRole('button', { name: /^Record/ }))
    expect(dialog).toHaveTextContent('Enter an amount such as 1,240.00.')
    expect(server.sentTo(`${invoicePath}/acts`)).toEqual([])
    type(dialog, /^Amount/, '40.00')
    expect(dialog).toHaveTextContent('$800.00 of AD-1187 stays open.')
    server.post(`${invoicePath}/acts`, recorded)
    const record = within(dialog).getByRole('button', { name: 'Record $40.00' })
    fireEvent.click(record)
    fireEvent.click(record)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(server.sentTo(`${invoicePath}/acts`)).toEqual([
      {
        type: 'record-payment',
        amount: 4_000,
        date: '2026-11-25',
        method: 'check',
        note: null,
        openSeen: 84_000,
        surplusBecomesCredit: false,
      },
    ])
  })

  it('takes a credit back that paid the invoice', async () => {
    const applicationId = 'application_1'
    const use = { applicationId, date: '2026-11-20', applied: 4_000, isTakenBack: false }
    const before = anInvoice({ creditUses: [use] })
    const mayTakeBack = { type: 'take-credit-back', mayDo: true, code: null, sentence: null }
    await openInvoice({ ...before, acts: [...before.acts, mayTakeBack] })
    expect(screen.getByText('1 payment and credit')).toBeVisible()
    fireEvent.click(screen.getByRole('button', { name: 'Take back the credit of $40.00' }))
    const dialog = await screen.findByRole('dialog')
    expect(dialog).toHaveTextContent('From today on, $880.00 of AD-1187 is open.')
    server.post(`${invoicePath}/acts`, recorded)
    fireEvent.click(within(dialog).getByRole('button', { name: 'Take back $40.00' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(server.sentTo(`${invoicePath}/acts`)).toEqual([
      { type: 'take-credit-back', applicationId },
    ])
  })

  it('keeps the texts after a refusal, shows the newer amount, and sends it with another key', async () => {
    await openInvoice()
    const dialog = await openAct('Write off')
    type(dialog, /^Reason/, 'Agreed with the client')
    const sentence = 'The open amount changed in another window.'
    server.post(`${invoicePath}/acts`, refusal(409, { error: sentence, code: 'open-changed' }))
    const before = anInvoice()
    server.get(invoicePath, anInvoice({ figures: { ...before.figures, open: 10_000 } }))
    fireEvent.click(within(dialog).getByRole('button', { name: 'Write off $840.00' }))
    expect(await within(dialog).findByText(sentence)).toBeVisible()
    const again = await within(dialog).findByRole('button', { name: 'Write off $100.00' })
    expect(within(dialog).getByLabelText(/^Reason/)).toHaveValue('Agreed with the client')
    server.post(`${invoicePath}/acts`, recorded)
    fireEvent.click(again)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    const sent = server.calls.filter(({ path }) => path === `${invoicePath}/acts`)
    expect(sent.map(({ body }) => (body as { openSeen: number }).openSeen)).toEqual([
      84_000, 10_000,
    ])
    const [first, second] = sent.map(({ headers }) => headers.get('Idempotency-Key'))
    expect(first).not.toBe(second)
  })

  it('repeats an act with its key when the answer was lost', async () => {
    await openInvoice()
    const dialog = await openAct('Dispute')
    type(dialog, /^What Grace Whitaker says/, 'Charged twice.')
    server.post(`${invoicePath}/acts`, unreachable)
    const record = within(dialog).getByRole('button', { name: 'Record the dispute' })
    fireEvent.click(record)
    expect(await within(dialog).findByText(/The answer was lost/)).toBeVisible()
    server.post(`${invoicePath}/acts`, recorded)
    fireEvent.click(record)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    const keys = server.calls
      .filter(({ path }) => path === `${invoicePath}/acts`)
      .map(({ headers }) => headers.get('Idempotency-Key'))
    expect(new Set(keys).size).toBe(1)
    expect(keys).toHaveLength(2)
  })

  it('repeats a lost act as it was, although the page shows a newer amount meanwhile', async () => {
    await openInvoice()
    const dialog = await openAct('Record payment')
    type(dialog, /^Amount/, '40.00')
    server.post(`${invoicePath}/acts`, unreachable)
    const { figures } = anInvoice()
    server.get(invoicePath, anInvoice({ figures: { ...figures, open: 80_000 } }))
    fireEvent.click(within(dialog).getByRole('button', { name: 'Record $40.00' }))
    expect(await within(dialog).findByText(/The answer was lost/)).toBeVisible()
    await screen.findByText('$800.00')
    server.post(`${invoicePath}/acts`, recorded)
    fireEvent.click(within(dialog).getByRole('button', { name: 'Record $40.00' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    const [lost, repeated] = server.sentTo(`${invoicePath}/acts`)
    expect(repeated).toEqual(lost)
  })

  it('after any refusal shows what another window saved, and keeps only what was typed', async () => {
    await openInvoice()
    const dialog = await openAct('Change')
    type(dialog, /^Due/, '2026-12-01')
    const sentence = 'The due date is before the issue date. Correct one of them.'
    server.post(`${invoicePath}/acts`, refusal(409, { error: sentence, code: 'due-before-issue' }))
    const { details } = anInvoice()
    const saved = { ...details, reference: 'Plan 3 of 3', dueDate: '2026-11-20' }
    server.get(invoicePath, anInvoice({ version: 4, details: saved }))
    const save = within(dialog).getByRole('button', { name: 'Save the change' })
    fireEvent.click(save)
    expect(await within(dialog).findByText(/^AD-1187 has changed/)).toBeVisible()
    expect(within(dialog).getByLabelText(/^Reference/)).toHaveValue('Plan 3 of 3')
    expect(within(dialog).getByLabelText(/^Due/)).toHaveValue('2026-12-01')
    expect(dialog).toHaveTextContent('Due: Nov 20, 2026 becomes Dec 1, 2026.')
    server.post(`${invoicePath}/acts`, recorded)
    fireEvent.click(save)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(server.sentTo(`${invoicePath}/acts`).at(-1)).toMatchObject({
      version: 4,
      reference: 'Plan 3 of 3',
      dueDate: '2026-12-01',
    })
  })

  it('says that another window changed the invoice, when the person returns to this one', async () => {
    await openInvoice()
    const dialog = await openAct('Write off')
    type(dialog, /^Reason/, 'Agreed with the client')
    const { figures } = anInvoice()
    server.get(invoicePath, anInvoice({ figures: { ...figures, open: 10_000 } }))
    fireEvent.focus(window)
    expect(
      await within(dialog).findByText('AD-1187 has changed since this form was opened.'),
    ).toBeVisible()
    expect(within(dialog).getByRole('button', { name: 'Write off $840.00' })).toBeVisible()
    expect(document.querySelector('.readout strong')).toHaveTextContent('$100.00')
  })

  it('keeps what it was opened with after a late answer, and shows the change when asked', async () => {
    await openInvoice()
    const held = await openAct('Hold')
    type(held, /^Reason/, 'Waits for the insurer')
    let answerLate = () => {}
    const { figures } = anInvoice()
    const late = anInvoice({ figures: { ...figures, open: 10_000 } })
    const answered = new Promise<Response>((resolve) => {
      answerLate = () => resolve(Response.json(late))
    })
    server.get(invoicePath, () => answered)
    server.post(`${invoicePath}/acts`, recorded)
    fireEvent.click(within(held).getByRole('button', { name: 'Hold' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    const dialog = await openAct('Write off')
    type(dialog, /^Reason/, 'Agreed with the client')
    answerLate()
    const show = await within(dialog).findByRole('button', { name: 'Show the change' })
    expect(within(dialog).getByRole('button', { name: 'Write off $840.00' })).toBeVisible()
    fireEvent.click(show)
    expect(within(dialog).getByRole('button', { name: 'Write off $100.00' })).toBeVisible()
    expect(within(dialog).getByLabelText(/^Reason/)).toHaveValue('Agreed with the client')
  })

  it('offers no act without a plan, and says why', async () => {
    await openInvoice(anInvoice({ access: withoutPlan }))
    expect(screen.getByText(withoutPlan.sentence)).toBeVisible()
    expect(screen.getByRole('link', { name: 'See the plan' })).toHaveAttribute('href', '/pricing')
    for (const name of ['Record payment', 'Change', 'Write off', 'Correct the payment of $400.00'])
      expect(screen.queryByRole('button', { name })).toBeNull()
  })
})
