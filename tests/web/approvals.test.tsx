import { describe, expect, it } from '@jest/globals'
import { fireEvent, screen, within } from '@testing-library/react'
import type { ExportProposalItem } from '#contracts/admin/export-proposals'
import type { RefundProposalItem } from '#contracts/admin/refund-proposals'
import type { AdminRole } from '#contracts/admin/roles'
import { refusal, startApiServer } from './support/api-server.ts'
import { session, signedInAs } from './support/auth-answers.ts'
import { openPage, preload } from './support/open-page.tsx'
import { today } from './support/purchases-data.ts'

preload(
  () => import('../../web/features/admin/approvals/approvals-page.tsx'),
  () => import('../../web/features/admin/approvals/refund-decision-dialog.tsx'),
  () => import('../../web/features/admin/approvals/export-decision-dialog.tsx'),
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
  can_be_approved: true,
  expires_at: '2026-03-19T09:00:00.000Z',
}
const path = '/api/admin/refund-proposals/:userId/:id/decision'

const exportProposal: ExportProposalItem = {
  id: 'a3d1b0a4-7c0f-4f64-9d0c-6f2f3c1f2a10',
  list: 'active-subscriptions',
  format: 'xlsx',
  query: { interval: 'monthly', status: 'past_due', sort: 'user_name' },
  records: 1200,
  reason: 'The auditor asked for it.',
  proposed_by: { id: 'adm_bo', name: 'Bo Ek' },
  status: 'waiting',
  approved_by: null,
  until: '2026-03-19T09:00:00.000Z',
}
const exportPath = '/api/admin/export-proposals/:adminId/:id/decision'

function open(
  items: readonly RefundProposalItem[] = [proposal],
  role: AdminRole = 'finance',
  exports: readonly ExportProposalItem[] = [],
) {
  localStorage.setItem('adminAuthenticated', 'true')
  const administrator = { ...signedInAs(role), needsSecondPerson: true }
  server.get('/api/auth/session', { ...session, isAdmin: true, administrator, now: today })
  server.get('/api/admin/refund-proposals', { items: [...items] })
  server.get('/api/admin/export-proposals', { items: [...exports] })
  openPage('/admin/approvals')
}
const press = (name: RegExp | string) => fireEvent.click(screen.getByRole('button', { name }))

describe('the refunds on the page of approvals', () => {
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

  it('offers only to decline what a person proposed who may not refund any more', async () => {
    open([{ ...proposal, can_be_approved: false }])
    expect(await screen.findByRole('button', { name: /^Decline the refund/ })).toBeInTheDocument()
    expect(screen.getByText(/^May not refund any more\./)).toBeVisible()
    expect(screen.queryByRole('button', { name: /^Approve/ })).not.toBeInTheDocument()
  })

  it('shows nothing to a role without the right to refund', async () => {
    open([proposal], 'reader')
    expect(await screen.findByText(/does not let you refund payments/)).toBeInTheDocument()
    expect(screen.queryByText('Bo Ek')).not.toBeInTheDocument()
    expect(screen.queryByRole('link', { name: /^Approvals/ })).not.toBeInTheDocument()
  })
})

describe('the exports on the page of approvals', () => {
  it('name list, filters, records and person before an approval is sent', async () => {
    open([proposal], 'finance', [exportProposal])
    expect(await screen.findByText('The auditor asked for it.')).toBeInTheDocument()
    expect(screen.getByRole('link', { name: 'Approvals (2)' })).toBeInTheDocument()
    expect(screen.getByText('XLSX, past due')).toBeInTheDocument()
    press('Approve the export of Active Plans Monthly as XLSX by Bo Ek')
    const dialog = await screen.findByRole('dialog')
    expect(within(dialog).getByText('1,200 records of Active Plans Monthly')).toBeInTheDocument()
    const message = 'Approved. The administrator who proposed the export can download it once.'
    server.post(exportPath, { id: exportProposal.id, status: 'approved', message })
    server.get('/api/admin/export-proposals', { items: [] })
    press('Approve the export')
    expect(await screen.findByText(message)).toBeInTheDocument()
    expect(await screen.findByText('No export waits for approval.')).toBeInTheDocument()
    expect(server.sentTo(exportPath)).toEqual([{ decision: 'approve' }])
  })

  it('are declined with a reason, and a refusal is shown', async () => {
    open([], 'owner', [exportProposal])
    press(await screen.findByRole('button', { name: /^Decline the export/ }).then(nameOf))
    await screen.findByRole('dialog')
    fireEvent.change(screen.getByLabelText('Reason for the history'), {
      target: { value: 'Not now.' },
    })
    const error = 'This proposal was withdrawn before. Reload the page.'
    server.post(exportPath, refusal(409, { error }))
    press('Decline the export')
    expect(await screen.findByText(error)).toBeInTheDocument()
    expect(server.sentTo(exportPath)).toEqual([{ decision: 'decline', why: 'Not now.' }])
  })

  it('are withdrawn by the one who proposed them, and downloaded once after the approval', async () => {
    const own = { ...exportProposal, proposed_by: { id: 'adm_1', name: 'Ada Lind' } }
    const approved = { ...own, id: 'b', status: 'approved', approved_by: 'Bo Ek' } as const
    open([], 'finance', [own, { ...approved, format: 'csv' }])
    expect(await screen.findByRole('button', { name: /^Withdraw the export/ })).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: /^(Approve|Decline)/ })).not.toBeInTheDocument()
    expect(screen.getByText('Approved by Bo Ek')).toBeInTheDocument()
    const error = 'This proposal was approved and downloaded before. Reload the page.'
    server.get('/api/admin/export-proposals/:id/file', refusal(409, { error }))
    server.get('/api/admin/export-proposals', { items: [] })
    press(/^Download the approved export of Active Plans Monthly/)
    expect(await screen.findByText(error)).toBeInTheDocument()
    expect(await screen.findByText('No export waits for approval.')).toBeInTheDocument()
  })
})

const nameOf = (button: HTMLElement) => button.getAttribute('aria-label') ?? ''
