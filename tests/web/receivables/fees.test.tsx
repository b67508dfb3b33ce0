import { describe, expect, it } from '@jest/globals'
import { fireEvent, screen, within } from '@testing-library/react'
import type { FeesResponse, PaymentFee } from '#contracts/receivables/fees'
import { email, session } from '../support/auth-answers.ts'
import { startApiServer, unreachable } from '../support/api-server.ts'
import { aBrand } from '../support/messages-data.ts'
import { openPage, preload } from '../support/open-page.tsx'
import { noFees, somePayments } from '../support/payments-data.ts'
import { anOverview } from '../support/receivables-data.ts'

preload(
  () => import('../../../web/app/receivables-layout.tsx'),
  () => import('../../../web/features/receivables/payments/payments-page.tsx'),
)

const server = startApiServer()
const path = '/api/receivables/fees'

const payment: PaymentFee = {
  checkoutId: 'checkout_1',
  clientId: 'client_1',
  clientName: 'Grace Whitaker',
  paidAt: '2026-11-03T10:00:00.000Z',
  day: '2026-11-03',
  invoices: 2,
  means: 'Visa ending 4242',
  currency: 'usd',
  amount: 100_01,
  back: 33_33,
  fee: 5_00,
  feeReturned: 1_67,
  netFee: 3_33,
}
const { amount, back, fee, feeReturned, netFee, currency } = payment
const november = { amount, back, fee, feeReturned, netFee, currency }
const october = { currency, amount: 20_00, back: 0, fee: 1_00, feeReturned: 0, netFee: 1_00 }

const some: FeesResponse = {
  items: [payment],
  total: 2,
  months: [
    { month: '2026-11', payments: 1, ...november },
    { month: '2026-10', payments: 1, ...october },
  ],
  next: 'place',
}

async function open(answer: Parameters<typeof server.get>[1]): Promise<HTMLElement> {
  localStorage.setItem('userEmail', email)
  server.get('/api/auth/session', session)
  server.get('/api/receivables/overview', anOverview())
  server.get('/api/receivables/keys', { access: anOverview().access, items: [] })
  server.get('/api/receivables/brand', aBrand())
  server.get('/api/receivables/payments', somePayments())
  server.post('/api/receivables/payments/account/refresh', somePayments())
  server.get(path, answer)
  openPage('/receivables/payments')
  return screen.findByRole('region', { name: 'Fees on payments' })
}

describe('the fees on payments', () => {
  it('are listed with what went back, and their sums', async () => {
    const panel = await open(some)
    const row = await within(panel).findByRole('row', { name: /Grace Whitaker/ })
    expect(row).toHaveTextContent('2 invoices, Visa ending 4242')
    expect(row).toHaveTextContent('$100.01$33.33 went back')
    expect(row).toHaveTextContent('Fee $3.33after $1.67 returned')
    expect(within(row).getByRole('link')).toHaveAttribute('href', '/receivables/clients/client_1')
    expect(within(panel).getByRole('list', { name: 'Sums' })).toHaveTextContent(
      '$4.33 of fees on 2 payments of $120.01 ($1.67 went back with refunds)',
    )
  })

  it('continue on request, and narrow to a month', async () => {
    const panel = await open(some)
    await within(panel).findByRole('table')
    server.get(path, { ...some, items: [{ ...payment, checkoutId: 'checkout_2' }], next: null })
    fireEvent.click(within(panel).getByRole('button', { name: 'Show more payments' }))
    await within(panel).findAllByRole('row', { name: /Grace/ })
    server.get(path, { ...some, items: [], total: 1, next: null })
    fireEvent.change(within(panel).getByLabelText('Month'), { target: { value: '2026-10' } })
    expect(await within(panel).findByText('$1.00')).toBeVisible()
    expect(within(panel).getByRole('option', { name: 'October 2026' })).toBeVisible()
  })

  it('say that no client has paid through its page yet', async () => {
    const panel = await open(noFees)
    expect(
      await within(panel).findByText(
        'No client has paid through its page yet. Payments that you record have no fee.',
      ),
    ).toBeVisible()
    expect(within(panel).queryByRole('button')).toBeNull()
  })

  it('can be loaded again after a failure', async () => {
    const panel = await open(unreachable)
    const again = await within(panel).findByRole('button', { name: /Try again|Retry/ })
    server.get(path, noFees)
    fireEvent.click(again)
    expect(await within(panel).findByText(/No client has paid/)).toBeVisible()
  })
})
