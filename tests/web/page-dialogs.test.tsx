import { describe, expect, it } from '@jest/globals'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { refusedRight, type AdminRight, type AdminRole } from '#contracts/admin/roles'
import { api } from '../../web/api/api.ts'
import { store } from '../../web/api/store.ts'
import {
  aPayment,
  aRefund,
  aSenderName,
  aSending,
  aUser,
  pageOf,
  summary,
} from './support/admin-data.ts'
import { refusal, startApiServer, unreachable } from './support/api-server.ts'
import { session, signedInAs } from './support/auth-answers.ts'
import { deadLetter } from './support/dead-letters.ts'
import { openPage, preload } from './support/open-page.tsx'
import { today } from './support/purchases-data.ts'

preload(
  () => import('../../web/features/admin/admin-page.tsx'),
  () => import('../../web/features/admin/tabs/user-details.tsx'),
  () => import('../../web/features/admin/tabs/block-dialog.tsx'),
  () => import('../../web/features/admin/tabs/override-dialog.tsx'),
  () => import('../../web/features/admin/tabs/refund-dialog.tsx'),
  () => import('../../web/features/admin/table/propose-export-dialog.tsx'),
  () => import('../../web/features/admin/approvals/approvals-page.tsx'),
  () => import('../../web/features/admin/approvals/refund-decision-dialog.tsx'),
  () => import('../../web/features/admin/unsent/unsent-page.tsx'),
  () => import('../../web/features/admin/unsent/unsent-dialog.tsx'),
  () => import('../../web/features/admin/administrators/administrators-page.tsx'),
  () => import('../../web/features/admin/administrators/add-dialog.tsx'),
  () => import('../../web/features/admin/administrators/rename-dialog.tsx'),
)

const server = startApiServer()
const email = 'dana@birchwooddental.example'
const person = {
  id: 'adm_2',
  name: 'Bo Ek',
  email: 'bo@agilereceivables.example',
  role: 'finance',
  added_at: '2026-01-09T10:00:00.000Z',
  last_sign_in_at: null,
  passkeys: 0,
  ended_at: null,
}
const proposal = {
  id: 'refundrequest_1',
  user_id: 'usr_1',
  payment_id: 'payment_1',
  customer_name: 'Dana Whitlock',
  customer_email: email,
  currency: 'usd',
  amount: 1200,
  reason: 'duplicate',
  note: null,
  proposed_by: { id: 'adm_bo', name: 'Bo Ek' },
  can_be_approved: true,
  expires_at: '2026-03-19T09:00:00.000Z',
}

function answerAs(role: AdminRole): void {
  const administrator = { ...signedInAs(role), needsSecondPerson: true }
  server.get('/api/auth/session', { ...session, isAdmin: true, administrator, now: today })
}

/** The lists as they are at first. */
function answerLists(): void {
  server.get('/api/admin/summary', summary)
  server.get('/api/admin/users', pageOf([aUser()]))
  server.get('/api/subscriptions/:userId', [])
  server.get('/api/admin/users/:userId/sending', aSending())
  server.get('/api/admin/users/:userId/sender-name', aSenderName())
  server.get('/api/admin/subscription-changes', { changes: [] })
  server.get('/api/admin/payments', pageOf([aPayment({ payment_id: 'payment_1' })]))
  server.get('/api/admin/refunds', pageOf([aRefund()]))
  server.get('/api/admin/refund-proposals', { items: [proposal] })
  server.get('/api/admin/dead-letters', { items: [deadLetter], has_more: false })
  server.get('/api/admin/export-proposals', { items: [] })
  server.get('/api/admin/administrators', { items: [person] })
  server.get('/api/admin/payments/:id/refundable', {
    payment_id: 'payment_1',
    customer_name: 'Dana Whitlock',
    customer_email: email,
    obstacle: null,
    rest: { currency: 'usd', collected: 39, refunded: 0, waiting: 0, left: 39 },
    alone_up_to: null,
  })
}

interface DialogCase {
  readonly name: string
  readonly right: AdminRight
  readonly address: string
  /** The buttons that open the dialog, in order. */
  readonly open: readonly RegExp[]
  /** What the person enters. */
  readonly enter: readonly { readonly label: string; readonly value: string }[]
  /** The buttons that send it, in order. */
  readonly send: readonly RegExp[]
  readonly call: readonly ['post' | 'patch', string]
  /** The list without the row. Undefined: no row opens the dialog. */
  readonly left?: readonly [path: string, page: Parameters<typeof server.get>[1]]
}

const cases: readonly DialogCase[] = [
  {
    name: 'block',
    right: 'block',
    address: '/admin/dashboard',
    open: [/^Block dana@/],
    enter: [],
    send: [/^Block user$/],
    call: ['post', '/api/admin/users/:userId/toggle-block'],
    left: ['/api/admin/users', pageOf([])],
  },
  {
    name: 'secondary e-mail',
    right: 'secondary-email',
    address: '/admin/dashboard',
    open: [/^Details of dana/, /^Add Secondary Email$/],
    enter: [{ label: 'Secondary email', value: 'dana@home.example' }],
    send: [/^Add Secondary Email$/],
    call: ['post', '/api/admin/update-user-email'],
    left: ['/api/admin/users', pageOf([])],
  },
  {
    name: 'stop of messages',
    right: 'sending',
    address: '/admin/dashboard',
    open: [/^Details of dana/, /^Stop messages$/],
    enter: [{ label: 'Reason', value: 'Clients complain.' }],
    send: [/^Stop messages$/],
    call: ['post', '/api/admin/users/:userId/sending'],
    left: ['/api/admin/users', pageOf([])],
  },
  {
    name: 'status of a refund',
    right: 'refund-status',
    address: '/admin/dashboard?tab=refunds',
    open: [/^Failed: refund/],
    enter: [{ label: 'Reason', value: 'The bank returned the money.' }],
    send: [/^Set to Failed$/],
    call: ['patch', '/api/admin/refunds/:id'],
    left: ['/api/admin/refunds', pageOf([])],
  },
  {
    name: 'refund of a payment',
    right: 'refund',
    address: '/admin/dashboard?tab=payments',
    open: [/^Refund payment payment_1 of /],
    enter: [
      { label: 'Amount in USD', value: '7' },
      { label: 'Reason', value: 'Duplicate' },
    ],
    send: [/^Continue$/, /^Refund \$7\.00$/],
    call: ['post', '/api/admin/payments/:id/refunds'],
    left: ['/api/admin/payments', pageOf([])],
  },
  {
    name: 'decline of a proposed refund',
    right: 'refund',
    address: '/admin/approvals',
    open: [/^Decline the refund of/],
    enter: [{ label: 'Reason for the history', value: 'Dana paid once.' }],
    send: [/^Decline the refund$/],
    call: ['post', '/api/admin/refund-proposals/:userId/:id/decision'],
    left: ['/api/admin/refund-proposals', { items: [] }],
  },
  {
    name: 'discard of a message that was not sent',
    right: 'unsent-messages',
    address: '/admin/not-sent',
    open: [/^Discard the mail about/],
    enter: [{ label: 'Reason', value: 'The address or the number is wrong' }],
    send: [/^Discard the message$/],
    call: ['post', '/api/admin/dead-letters/:reactor/:eventId/discard'],
    left: ['/api/admin/dead-letters', { items: [], has_more: false }],
  },
  {
    name: 'name of an administrator',
    right: 'administrators',
    address: '/admin/administrators',
    open: [/^Rename Bo Ek$/],
    enter: [{ label: 'Name', value: 'Bo Berg' }],
    send: [/^Rename$/],
    call: ['post', '/api/admin/administrators/:id/rename'],
    left: ['/api/admin/administrators', { items: [] }],
  },
  {
    name: 'new administrator',
    right: 'administrators',
    address: '/admin/administrators',
    open: [/^Add administrator$/],
    enter: [
      { label: 'Name', value: 'Cy Roe' },
      { label: 'E-mail address', value: 'cy@agilereceivables.example' },
      { label: 'Reader', value: '' },
    ],
    send: [/^Add administrator$/],
    call: ['post', '/api/admin/administrators'],
  },
  {
    name: 'proposal of an export',
    right: 'export',
    address: '/admin/dashboard',
    open: [/^Export CSV$/],
    enter: [{ label: 'Reason for the other administrator', value: 'The auditor asked for it.' }],
    send: [/^Propose the export$/],
    call: ['post', '/api/admin/export-proposals'],
  },
]

async function openDialog({ address, open, enter }: DialogCase): Promise<HTMLElement> {
  localStorage.setItem('adminAuthenticated', 'true')
  answerAs('owner')
  answerLists()
  server.get(
    '/api/admin/users/export',
    refusal(409, { error: 'Another administrator must approve it.', field: 'second_person' }),
  )
  openPage(address)
  for (const name of open) {
    const button = await screen.findByRole('button', { name })
    act(() => button.focus())
    fireEvent.click(button)
  }
  const dialog = await screen.findByRole('dialog')
  for (const { label, value } of enter) {
    const field = await within(dialog).findByLabelText(label, { exact: value !== '' })
    if (value === '') fireEvent.click(field)
    else fireEvent.change(field, { target: { value } })
  }
  return dialog
}

const press = (name: RegExp) =>
  fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name }))
const reload = () =>
  act(
    () =>
      void store.dispatch(
        api.util.invalidateTags([
          'AdminUsers',
          'AdminPayments',
          'AdminRefunds',
          'AdminRefundProposals',
          'AdminDeadLetters',
          'AdminAdministrators',
        ]),
      ),
  )
const expectEntered = ({ enter }: DialogCase) => {
  for (const { label, value } of enter)
    if (value !== '')
      expect(within(screen.getByRole('dialog')).getByLabelText(label)).toHaveValue(value)
}

describe.each(cases)('the dialog: $name', (each) => {
  it('shows the refusal of the server, and keeps what was entered, after a change of the role', async () => {
    await openDialog(each)
    const [method, path] = each.call
    const error = refusedRight('support', each.right)
    server[method](path, refusal(403, { error }))
    answerAs('reader')
    for (const name of each.send) press(name)
    await screen.findByText('Reader', { selector: '.top-bar *' })
    const dialog = screen.getByRole('dialog')
    expect(await within(dialog).findByText(error)).toBeVisible()
    if (each.send.length === 1) expectEntered(each)
  })

  const { left } = each
  if (left === undefined) return
  it('keeps what was entered if its row leaves the list, or if the list fails', async () => {
    const dialog = await openDialog(each)
    for (const answer of [left[1], unreachable]) {
      const before = server.calls.filter(({ path }) => path === left[0]).length
      server.get(left[0], answer)
      reload()
      await waitFor(() => {
        expect(server.calls.filter(({ path }) => path === left[0]).length).toBeGreaterThan(before)
        expect(screen.queryByRole('button', { name: each.open[0] })).toBeNull()
      })
      expect(screen.getByRole('dialog')).toBe(dialog)
      expectEntered(each)
    }
    fireEvent.click(within(dialog).getByRole('button', { name: 'Close' }))
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(document.activeElement).toBe(document.getElementById('main'))
  })
})
