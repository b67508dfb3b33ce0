import { describe, expect, it, jest } from '@jest/globals'
import { screen, within } from '@testing-library/react'
import { aReceipt, aRefundReceipt } from '../support/data/receipts.ts'
import { answerKnownCustomer, email } from './support/auth-answers.ts'
import { refusal, startApiServer } from './support/api-server.ts'
import { left, openPage, preload } from './support/open-page.tsx'
import { enter } from './support/fill-in.ts'

preload(
  () => import('../../web/app/receipt-route.tsx'),
  () => import('../../web/features/auth/login-dialog.tsx'),
)

const server = startApiServer()

function openReceipt(answer: Parameters<typeof server.get>[1] = aReceipt()) {
  localStorage.setItem('userEmail', email)
  server.get('/api/receipts/:receiptId', answer)
  return openPage('/receipts/payment_1')
}

const sheet = async () => within(await screen.findByRole('article', { name: /eceipt$/ }))

describe('the page of a receipt', () => {
  it('shows seller, customer, lines and sums of a payment', async () => {
    openReceipt()
    await screen.findByText('Loading your receipt...')
    const receipt = await sheet()
    expect(receipt.getByRole('heading', { name: 'Receipt' })).toBeInTheDocument()
    expect(receipt.getByText('$39.00 paid on Mar 3, 2026')).toBeInTheDocument()
    expect(receipt.getByText('Invoice number').nextSibling).toHaveTextContent('AR-0001')
    expect(receipt.getByText('Payment method').nextSibling).toHaveTextContent('Visa ending 4242')
    expect(receipt.getByRole('region', { name: 'From' })).toHaveTextContent('Agile Receivables')
    expect(receipt.getByRole('region', { name: 'Billed to' })).toHaveTextContent(
      'Birchwood Dental Group418 Orchard Lane, Suite 2Duluth, MN 55802',
    )
    const [, line] = receipt.getAllByRole('row')
    expect(line).toHaveTextContent(
      '1 × Monthly Plan (at $39.00 / month)Mar 3, 2026 to Apr 3, 20261$39.00',
    )
    expect(receipt.getByText('Amount paid').nextSibling).toHaveTextContent('$39.00')
    expect(server.calls.map(({ path }) => path)).toEqual(['/api/receipts/:receiptId'])
    expect(document.querySelector('meta[name=robots]')?.getAttribute('content')).toBe('noindex')
  })

  it('shows a refund with a minus and the original payment', async () => {
    openReceipt(aRefundReceipt())
    const receipt = await sheet()
    expect(receipt.getByRole('heading', { name: 'Refund receipt' })).toBeInTheDocument()
    expect(receipt.getByText('Payment of $39.00 on Mar 3, 2026')).toBeInTheDocument()
    expect(receipt.getByText('Refund').nextSibling).toHaveTextContent('\u2212$13.00')
  })

  it('names an invoice of a negative total as the transaction history does', async () => {
    const amounts = { subtotal: -13, discount: 0, tax: 0, total: -13, from_balance: -13, paid: 0 }
    const changes = { kind: 'credit_note', payment_method: null, amounts } as const
    openReceipt(aReceipt(changes))
    const note = within(await screen.findByRole('article', { name: 'Credit Note' }))
    expect(note.getByText('$13.00 credited on Mar 3, 2026')).toBeInTheDocument()
    expect(note.getByText('Date of credit').nextSibling).toHaveTextContent('Mar 3, 2026')
    expect(note.queryByText('Payment method')).not.toBeInTheDocument()
    expect(note.queryByText(/paid on/)).not.toBeInTheDocument()
    expect(document.title).toBe('Credit Note | Agile Receivables')
  })

  it('says that a lost dispute changes no total', async () => {
    openReceipt(aReceipt({ status: 'dispute_lost' }))
    const receipt = await sheet()
    expect(receipt.getByText('Status').nextSibling).toHaveTextContent(
      'Dispute lost. The bank returned this payment. Totals still count it as paid.',
    )
  })

  it('offers the PDF and prints', async () => {
    const print = jest.spyOn(window, 'print').mockImplementation(() => undefined)
    try {
      const { user } = openReceipt()
      const pdf = await screen.findByRole('link', { name: 'Download PDF' })
      expect(pdf).toHaveAttribute('href', '/api/receipts/payment_1/pdf')
      expect(pdf).toHaveAttribute('download', 'receipt-AR-0001.pdf')
      await user.click(screen.getByRole('button', { name: 'Print' }))
      expect(print).toHaveBeenCalledTimes(1)
    } finally {
      print.mockRestore()
    }
  })

  it('says that a receipt does not exist, without a toast', async () => {
    openReceipt(refusal(404, { error: 'There is no such receipt.' }))
    expect(
      await screen.findByRole('region', { name: 'There is no such receipt in your account' }),
    ).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: 'Retry' })).not.toBeInTheDocument()
    expect(screen.getByText(/belongs to another account/)).toHaveTextContent(
      `You are logged in as ${email}. If the mail was for another address, log in with it.`,
    )
    expect(screen.getByRole('button', { name: 'Use another e-mail' })).toBeInTheDocument()
    expect(screen.getByRole('link', { name: 'Back to purchases' })).toHaveAttribute(
      'href',
      '/purchases',
    )
  })

  it('loads again on Retry after a failure', async () => {
    const { user } = openReceipt(refusal(500, { error: 'Something broke' }))
    await screen.findByRole('region', { name: 'The receipt could not be loaded' })
    server.get('/api/receipts/:receiptId', aReceipt())
    await user.click(screen.getByRole('button', { name: 'Retry' }))
    expect(await screen.findByRole('heading', { name: 'Receipt' })).toBeInTheDocument()
  })

  it('of a mail leads a visitor through the login to the receipt', async () => {
    const { user, path } = openPage('/receipts/payment_1')
    expect(await screen.findByRole('dialog', { name: 'Log in or sign up' })).toHaveTextContent(
      'Log in to continue to your receipt.',
    )
    expect(server.calls).toEqual([])
    answerKnownCustomer(server)
    server.get('/api/receipts/:receiptId', aReceipt())
    await enter(user, screen.getByLabelText('Email'), email)
    await user.type(await screen.findByLabelText('Verification code'), '407192{Enter}')
    expect(await screen.findByRole('article', { name: 'Receipt' })).toBeInTheDocument()
    expect(path()).toBe('/receipts/payment_1')
    expect([left.to, left.reloads]).toEqual([[], 0])
  })

  it('leads a signed-out administrator through the login of administrators', async () => {
    const { user } = openPage('/receipts/payment_1')
    await screen.findByRole('dialog')
    await user.keyboard('{Escape}')
    await user.click(screen.getByRole('button', { name: 'Log in as administrator' }))
    server.post('/api/admin/login', { isAdmin: true })
    server.get('/api/receipts/:receiptId', aReceipt())
    await user.type(screen.getByLabelText('Password'), 'a-long-password{Enter}')
    expect(await screen.findByRole('article', { name: 'Receipt' })).toBeInTheDocument()
    expect(screen.getByRole('link', { name: 'Back to the dashboard' })).toBeInTheDocument()
  })

  it('leads an administrator back to the dashboard', async () => {
    localStorage.setItem('adminAuthenticated', 'true')
    server.get('/api/receipts/:receiptId', aReceipt())
    openPage('/receipts/payment_1')
    expect(await screen.findByRole('link', { name: 'Back to the dashboard' })).toHaveAttribute(
      'href',
      '/admin/dashboard',
    )
  })
})
