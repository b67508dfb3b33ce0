import { describe, expect, it } from '@jest/globals'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { RefundablePayment } from '#contracts/admin/refund-payment'
import { aPayment, pageOf, summary } from './support/admin-data.ts'
import { refusal, startApiServer, unreachable } from './support/api-server.ts'
import { owner, session, signedInAs } from './support/auth-answers.ts'
import { openPage, preload } from './support/open-page.tsx'
import { today } from './support/purchases-data.ts'

preload(
  () => import('../../web/features/admin/admin-page.tsx'),
  () => import('../../web/features/admin/tabs/refund-dialog.tsx'),
)

const server = startApiServer()
const payment = aPayment({ payment_id: 'payment_1', amount_total: 39, amount_subtotal: 39 })
const refundable: RefundablePayment = {
  payment_id: 'payment_1',
  customer_name: 'Dana Whitlock',
  customer_email: 'dana@birchwooddental.example',
  obstacle: null,
  rest: { currency: 'usd', collected: 39, refunded: 0, waiting: 0, left: 39 },
  alone_up_to: null,
}
const path = '/api/admin/payments/:id/refunds'
const created = {
  request_id: '0b9f6a52-6d0b-4c8e-9a55-0c4b7a0a7f11',
  status: 'created',
  refund_id: 'refund_1',
  refund_status: 'succeeded',
  currency: 'usd',
  amount: 10,
}

function openPayments(as: object = owner, listed = [payment]) {
  localStorage.setItem('adminAuthenticated', 'true')
  server.get('/api/auth/session', { ...session, ...as, now: today })
  server.get('/api/admin/summary', summary)
  server.get('/api/admin/payments', pageOf(listed))
  openPage('/admin/dashboard?tab=payments')
}

async function openDialog(answer: Parameters<typeof server.get>[1] = refundable) {
  openPayments()
  server.get('/api/admin/payments/:id/refundable', answer)
  fireEvent.click(await screen.findByRole('button', { name: /^Refund payment payment_1 of / }))
  return screen.findByRole('dialog')
}

const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name)
function enter(amount: string, reason = 'Requested by customer') {
  fireEvent.change(field('Amount in USD'), { target: { value: amount } })
  fireEvent.change(field('Reason'), { target: { value: reason } })
  fireEvent.click(screen.getByRole('button', { name: 'Continue' }))
}
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const sent = () => server.sentTo(path) as readonly Record<string, unknown>[]

describe('the refund of a payment', () => {
  it('names customer and amount before it is sent, and reports it', async () => {
    const dialog = await openDialog()
    await within(dialog).findByText(/\$39\.00 is left/)
    expect(field('Amount in USD')).toHaveValue('39.00')
    enter('10')
    expect(
      await screen.findByRole('heading', { name: 'Refund $10.00 to Dana Whitlock?' }),
    ).toBeInTheDocument()
    expect(screen.getByText(/Dana Whitlock \(dana@/)).toBeInTheDocument()
    expect(sent()).toEqual([])
    server.post(path, created)
    press('Refund $10.00')
    expect(await screen.findByText(/^Refunded \$10\.00 to dana@/)).toBeInTheDocument()
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
    expect(sent()).toEqual([
      {
        request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        amount: 10,
        currency: 'usd',
        reason: 'requested_by_customer',
      },
    ])
  })

  it.each([
    ['0', /above 0/],
    ['-5', /Enter digits/],
    ['', /Enter digits/],
    ['1.005', /more decimals than USD/],
    ['39.01', /up to \$39\.00/],
    ['ten', /Enter digits/],
  ])('of %p is refused in the form with a sentence', async (amount, sentence) => {
    await openDialog()
    await screen.findByLabelText('Amount in USD')
    enter(amount)
    expect(await screen.findByText(sentence)).toBeInTheDocument()
    expect(field('Amount in USD')).toHaveFocus()
    expect(sent()).toEqual([])
  })

  it.each([
    ['support', 0],
    ['reader', 0],
    ['finance', 1],
  ] as const)('is offered to the role %s %d times', async (role, times) => {
    openPayments({ isAdmin: true, administrator: signedInAs(role) })
    await screen.findAllByText(payment.customer_email)
    await waitFor(() =>
      expect(screen.queryAllByRole('button', { name: /^Refund payment/ })).toHaveLength(times),
    )
  })

  it('needs a reason', async () => {
    await openDialog()
    await screen.findByLabelText('Amount in USD')
    enter('10', '')
    expect(await screen.findByText('Choose a reason.')).toBeInTheDocument()
  })

  it('is the same request after a lost answer, and another one after a refusal', async () => {
    await openDialog()
    await screen.findByLabelText('Amount in USD')
    enter('10')
    server.post(path, unreachable)
    press('Refund $10.00')
    expect(await screen.findByText(/it is made once/)).toBeInTheDocument()
    server.post(path, refusal(409, { error: 'The payment provider refused the refund: No.' }))
    press('Refund $10.00')
    expect(await screen.findByText(/refused the refund: No\./)).toBeInTheDocument()
    server.post(path, created)
    press('Refund $10.00')
    await waitFor(() => expect(sent()).toHaveLength(3))
    const ids = sent().map(({ request_id }) => request_id)
    expect(ids[1]).toBe(ids[0])
    expect(ids[2]).not.toBe(ids[0])
  })

  it('stays the same request if an earlier try of the dialog had another amount', async () => {
    await openDialog()
    await screen.findByLabelText('Amount in USD')
    enter('10')
    const error = 'This dialog has sent a refund of $12.00 before.'
    server.post(path, refusal(409, { error, field: 'request_id', reason: error }))
    press('Refund $10.00')
    expect(await screen.findByText(error)).toBeInTheDocument()
    press('Refund $10.00')
    await waitFor(() => expect(sent()).toHaveLength(2))
    const [first, second] = sent().map(({ request_id }) => request_id)
    expect(second).toBe(first)
  })

  it('that waits for the provider says so, and not to repeat it', async () => {
    await openDialog()
    await screen.findByLabelText('Amount in USD')
    enter('10')
    server.post(path, { ...created, status: 'waiting', refund_id: null, refund_status: null })
    press('Refund $10.00')
    expect(await screen.findByText(/Do not refund it again/)).toBeInTheDocument()
    expect(screen.getAllByRole('button', { name: 'Close' }).length).toBeGreaterThan(0)
  })

  it('above the amount of one administrator is proposed, and says that nothing is refunded', async () => {
    await openDialog({ ...refundable, alone_up_to: 10 })
    await screen.findByLabelText('Amount in USD')
    expect(screen.getByText(/More than \$10\.00 needs the approval of another/)).toBeVisible()
    enter('12')
    expect(screen.getByText(/Another administrator must approve this amount/)).toBeInTheDocument()
    expect(screen.getByRole('heading', { name: /^Propose to refund \$12\.00 to / })).toBeVisible()
    expect(screen.queryByText(/cannot be taken back/)).toBeNull()
    server.post(path, { ...created, status: 'proposed', refund_id: null, refund_status: null })
    press('Propose $12.00')
    expect(await screen.findByText(/Nothing is refunded yet/)).toBeInTheDocument()
  })

  it('is not offered for a payment that is refunded in full', async () => {
    openPayments(owner, [
      payment,
      aPayment({ payment_id: 'payment_2', payment_status: 'refunded' }),
    ])
    await screen.findByRole('button', { name: /^Refund payment payment_1 of / })
    expect(screen.getAllByRole('button', { name: /^Refund payment/ })).toHaveLength(1)
  })

  it('keeps what was entered if the confirmation is left', async () => {
    await openDialog()
    await screen.findByLabelText('Amount in USD')
    enter('12.5', 'Duplicate')
    press('Back')
    expect(field('Amount in USD')).toHaveValue('12.5')
    expect(field('Reason')).toHaveValue('Duplicate')
  })

  it('of a payment that cannot be refunded says why', async () => {
    const obstacle = 'This payment is refunded in full. Nothing is left.'
    await openDialog({ ...refundable, obstacle })
    expect(await screen.findByText(obstacle)).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Continue' })).not.toBeInTheDocument()
  })

  it('can be tried again if the payment could not be read', async () => {
    await openDialog(refusal(503, { error: 'The service is not available right now.' }))
    expect(await screen.findByText('The service is not available right now.')).toBeInTheDocument()
    server.get('/api/admin/payments/:id/refundable', refundable)
    press('Retry')
    expect(await screen.findByLabelText('Amount in USD')).toBeInTheDocument()
  })
})
