import { describe, expect, it } from '@jest/globals'
import { fireEvent, screen, within } from '@testing-library/react'
import type { RefundProposalItem } from '#contracts/admin/refund-proposals'
import type { AdminRole } from '#contracts/admin/roles'
import { refusal, startApiServer } from './support/api-server.ts'
import { session, signedInAs } from './support/auth-answers.ts'
import { openPage, preload } from './support/open-page.tsx'
import { today } from './support/purchases-data.ts'

preload(
  () => import('../../web/features/admin/refund-proposals/refund-proposals-page.tsx'),
  () => import('../../web/features/admin/refund-proposals/decision-dialog.tsx'),
)

const server = startApiServer()
const proposal: RefundProposalItem = {
  id: 'refundrequest_1',
  user_id: 'usr_1',
  payment_id: 'payment_1',
  customer_name: 'Dana Whitlock',
  customer_email: 'dana@birchwooddental.example',
  currency: 'usd',
  amount: 1200,
  reason: 'duplicate',
  note: 'Dana paid twice.',
  proposed_by: { id: 'adm_bo', name: 'Bo Ek' },
  expires_at: '2026-03-19T09:00:00.000Z',
}
const path = '/api/admin/refund-proposals/:userId/:id/decision'

function open(items: readonly RefundProposalItem[] = [proposal], role: AdminRole = 'finance') {
  localStorage.setItem('adminAuthenticated', 'true')
  const administrator = { ...signedInAs(role), needsSecondPerson: true }
  server.get('/api/auth/session', { ...session, isAdmin: true, administrator, now: today })
  server.get('/api/admin/refund-proposals', { items: [...items] })
  openPage('/admin/approvals')
}
const press = (name: RegExp | string) => fireEvent.click(screen.getByRole('button', { name }))

describe('the page of refunds that wait for approval', () => {
  it('names customer and amount before an approval is sent, and reports it', async () => {
    open()
    await screen.findByText('Bo Ek')
    expect(screen.getByRole('link', { name: 'Approvals (1)' })).toBeInTheDocument()
    press(/^Approve the refund of \$1,200\.00 to dana@/)
    const dialog = await screen.findByRole('dialog')
    expect(
      within(dialog).getByRole('heading', { name: 'Refund $1,200.00 to Dana Whitlock?' }),
    ).toBeInTheDocument()
    expect(within(dialog).getByText(/Dana paid twice/)).toBeInTheDocument()
    const message = 'Refunded $1,200.00'
    server.post(path, { id: proposal.id, status: 'refunded', message })
    server.get('/api/admin/refund-proposals', { items: [] })
    press('Approve and refund $1,200.00')
    expect(await screen.findByText(message)).toBeInTheDocument()
    expect(await screen.findByText('No refund waits for approval.')).toBeInTheDocument()
    expect(server.sentTo(path)).toEqual([{ decision: 'approve' }])
  })

  it('needs a reason to decline, and shows why a decision was refused', async () => {
    open()
    await screen.findByText('Bo Ek')
    press(/^Decline the refund of/)
    await screen.findByRole('dialog')
    const decline = screen.getByRole('button', { name: 'Decline the refund' })
    expect(decline).toBeDisabled()
    fireEvent.change(screen.getByLabelText('Reason for the history'), {
      target: { value: ' Dana paid once. ' },
    })
    const error = 'This proposal was approved before. Reload the page.'
    server.post(path, refusal(409, { error }))
    fireEvent.click(decline)
    expect(await screen.findByText(error)).toBeInTheDocument()
    expect(server.sentTo(path)).toEqual([{ decision: 'decline', why: 'Dana paid once.' }])
  })

  it('offers the one who proposed only to withdraw', async () => {
    open([{ ...proposal, proposed_by: { id: 'adm_1', name: 'Ada Lind' } }])
    expect(await screen.findByRole('button', { name: /^Withdraw the refund/ })).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: /^(Approve|Decline)/ })).not.toBeInTheDocument()
  })

  it('shows nothing to a role without the right to refund', async () => {
    open([proposal], 'reader')
    expect(await screen.findByText(/does not let you refund payments/)).toBeInTheDocument()
    expect(screen.queryByText('Bo Ek')).not.toBeInTheDocument()
    expect(screen.queryByRole('link', { name: /^Approvals/ })).not.toBeInTheDocument()
  })
})
