import { describe, expect, it } from '@jest/globals'
import { act, screen, waitFor, within } from '@testing-library/react'
import type { AdministratorItem } from '#contracts/admin/administrators'
import { adminRoles, mayDo, refusedRight, roleNames, type AdminRole } from '#contracts/admin/roles'
import { api } from '../../web/api/api.ts'
import { store } from '../../web/api/store.ts'
import {
  aPlan,
  aRefund,
  aSenderName,
  aSending,
  aUser,
  anEnquiry,
  pageOf,
  summary,
} from './support/admin-data.ts'
import { refusal, startApiServer, unreachable } from './support/api-server.ts'
import { session, signedInAs } from './support/auth-answers.ts'
import { anEvent, eventsPage } from './support/history-data.ts'
import { openPage, preload } from './support/open-page.tsx'
import { today } from './support/purchases-data.ts'

preload(
  () => import('../../web/features/admin/admin-page.tsx'),
  () => import('../../web/features/admin/history/activity-page.tsx'),
  () => import('../../web/features/admin/reports/reports-page.tsx'),
  () => import('../../web/features/admin/tabs/user-details.tsx'),
  () => import('../../web/features/admin/administrators/administrators-page.tsx'),
  () => import('../../web/features/admin/administrators/add-dialog.tsx'),
  () => import('../../web/features/admin/administrators/role-dialog.tsx'),
  () => import('../../web/features/admin/administrators/end-dialog.tsx'),
  () => import('../../web/features/admin/administrators/rename-dialog.tsx'),
)

const server = startApiServer()

const person = (overrides: Partial<AdministratorItem> = {}): AdministratorItem => ({
  id: 'adm_1',
  name: 'Ada Lind',
  email: 'ada@agilereceivables.example',
  role: 'owner',
  added_at: '2026-01-09T10:00:00.000Z',
  last_sign_in_at: '2026-03-19T08:30:00.000Z',
  passkeys: 0,
  ended_at: null,
  ...overrides,
})
const bo = person({
  id: 'adm_2',
  name: 'Bo Ek',
  passkeys: 2,
  email: 'bo@agilereceivables.example',
  role: 'finance',
  last_sign_in_at: null,
})

function answerAs(role: AdminRole, name: string | null = 'Ada Lind'): void {
  const administrator = signedInAs(role, name)
  server.get('/api/auth/session', { ...session, isAdmin: true, administrator, now: today })
}

function openAs(
  role: AdminRole,
  address: string,
  { name = 'Ada Lind', before = () => {} }: { name?: string | null; before?: () => void } = {},
) {
  localStorage.setItem('adminAuthenticated', 'true')
  answerAs(role, name)
  server.get('/api/admin/summary', summary)
  server.get('/api/admin/users', pageOf([aUser()]))
  server.get('/api/admin/active-subscriptions', pageOf([aPlan()]))
  server.get('/api/admin/enquiries', pageOf([anEnquiry()]))
  server.get('/api/admin/refunds', pageOf([aRefund()]))
  server.get('/api/subscriptions/:userId', [])
  server.get('/api/admin/users/:userId/sending', aSending())
  server.get('/api/admin/users/:userId/sender-name', aSenderName())
  server.get('/api/admin/subscription-changes', { changes: [] })
  server.get('/api/admin/activity', eventsPage([anEvent({ title: 'Data exported' })]))
  server.get('/api/admin/administrators', { items: [person(), bo] })
  before()
  return openPage(address)
}

/** A control of a screen, and the right that it needs. */
const controls = [
  ['users', 'link', 'Reports', 'reports'],
  ['users', 'link', 'Activity', 'read'],
  ['users', 'link', 'Administrators', 'administrators'],
  ['users', 'button', 'Export CSV', 'export'],
  ['users', 'button', 'Export XLSX', 'export'],
  ['users', 'button', 'Block dana@birchwooddental.example', 'block'],
  ['active-plans', 'link', /^Manage/, 'portal'],
  ['active-plans', 'link', /^Cancel/, 'portal'],
  ['enquiries', 'button', /^In Progress: the enquiry/, 'enquiries'],
  ['enquiries', 'button', /^Close: the enquiry/, 'enquiries'],
  ['refunds', 'button', /^Pending: refund/, 'refund-status'],
  ['refunds', 'button', /^Failed: refund/, 'refund-status'],
] as const
const tabs = ['users', 'active-plans', 'enquiries', 'refunds'] as const

describe.each(adminRoles)('an administrator with the role %s', (role) => {
  it.each(tabs)('finds on the list of %s what the role allows, and nothing else', async (tab) => {
    openAs(role, `/admin/dashboard?tab=${tab}`)
    await screen.findByText('Ada Lind')
    await screen.findAllByText(/dana@birchwooddental\.example|t\.lindqvist/)
    const onTab = controls.filter(([of]) => of === tab)
    for (const [, kind, name, right] of onTab) {
      const found = screen.queryAllByRole(kind, { name }).length > 0
      expect({ name, found }).toEqual({ name, found: mayDo(role, right) })
    }
  })

  it('finds in the details of a user what the role allows', async () => {
    const { user } = openAs(role, '/admin/dashboard')
    await user.click(await screen.findByRole('button', { name: /^Details of dana/ }))
    await screen.findByRole('link', { name: 'Full history' })
    await screen.findByText('200 in the first week, 2,000 later')
    for (const [name, right] of [
      ['Block user', 'block'],
      ['Stop messages', 'sending'],
      ['Change limits', 'sending'],
      ['Add Secondary Email', 'secondary-email'],
    ] as const) {
      const found = screen.queryByRole('button', { name }) !== null
      expect({ name, found }).toEqual({ name, found: mayDo(role, right) })
    }
  })

  it('sees the own name and role in the bar', async () => {
    openAs(role, '/admin/activity')
    await screen.findByText('Ada Lind')
    const bar = document.querySelector<HTMLElement>('.top-bar')!
    expect(within(bar).getByText('Ada Lind')).toBeVisible()
    expect(within(bar).getByText(roleNames[role])).toBeVisible()
  })

  it.each([
    ['/admin/reports', 'reports'],
    ['/admin/administrators', 'administrators'],
  ] as const)('reads at %s why the page is not allowed, if it is not', async (address, right) => {
    if (mayDo(role, right)) return
    openAs(role, address)
    expect(await screen.findByText(refusedRight(role, right))).toBeVisible()
    expect(server.calls.filter(({ path }) => path === `/api${address}`)).toEqual([])
  })
})

describe('a role that changes during the session', () => {
  it('takes away what it does not allow as soon as the session is read again', async () => {
    openAs('support', '/admin/dashboard')
    await screen.findByRole('button', { name: /^Block dana/ })
    answerAs('reader')
    act(() => void store.dispatch(api.util.invalidateTags(['Session'])))
    await waitFor(() => expect(screen.queryByRole('button', { name: /^Block dana/ })).toBeNull())
    expect(screen.getByText('Reader')).toBeVisible()
  })

  it('is read again after a refusal, and the sign-in stays', async () => {
    const { user } = openAs('support', '/admin/dashboard?tab=enquiries')
    const close = await screen.findByRole('button', { name: /^Close: the enquiry/ })
    const error = refusedRight('reader', 'enquiries')
    server.patch('/api/admin/enquiries/:id', refusal(403, { error }))
    answerAs('reader')
    await user.click(close)
    expect(await screen.findByText(error)).toBeVisible()
    await waitFor(() => expect(screen.queryByRole('button', { name: /^Close: the/ })).toBeNull())
    expect(localStorage.getItem('adminAuthenticated')).toBe('true')
  })
})

describe('the page of the administrators', () => {
  const open = (before = () => {}) => openAs('owner', '/admin/administrators', { before })
  const rowOf = async (name: RegExp) => screen.findByRole('row', { name })

  it('lists each person with role, dates and passkeys', async () => {
    open()
    const own = await rowOf(/^Ada Lind \(you\)/)
    for (const text of ['ada@agilereceivables.example', 'Owner', 'Jan 9, 2026'])
      expect(within(own).getByText(text)).toBeVisible()
    expect(within(await rowOf(/^Bo Ek/)).getByText('Never')).toBeVisible()
  })

  it('shows an ended person without acts', async () => {
    open(() =>
      server.get('/api/admin/administrators', {
        items: [person(), { ...bo, ended_at: '2026-03-01T10:00:00.000Z' }],
      }),
    )
    const row = await rowOf(/^Bo Ek/)
    expect(within(row).getByText('Ended', { selector: '.chip' })).toBeVisible()
    expect(within(row).queryByRole('button')).toBeNull()
    expect(within(row).getByText('None')).toBeVisible()
  })

  it('adds a person, and shows the sentence of a refusal in the dialog', async () => {
    const { user } = open()
    const error = 'Another administrator has this e-mail address. Use another address.'
    server.post('/api/admin/administrators', refusal(409, { error }))
    await user.click(await screen.findByRole('button', { name: 'Add administrator' }))
    const dialog = await screen.findByRole('dialog', { name: 'Add an administrator' })
    const submit = within(dialog).getByRole('button', { name: 'Add administrator' })
    expect(submit).toBeDisabled()
    await user.type(within(dialog).getByLabelText('Name'), 'Cy Roe')
    await user.type(within(dialog).getByLabelText('E-mail address'), 'cy@agile.example')
    await user.click(within(dialog).getByRole('radio', { name: /^Support/ }))
    await user.click(submit)
    expect(await within(dialog).findByText(error)).toBeVisible()
    server.post('/api/admin/administrators', { id: 'adm_3', message: 'Cy Roe is here.' })
    await user.click(submit)
    expect(await screen.findByText('Cy Roe is here.')).toBeVisible()
    expect(screen.queryByRole('dialog')).toBeNull()
    const body = { name: 'Cy Roe', email: 'cy@agile.example', role: 'support' }
    expect(server.sentTo('/api/admin/administrators').filter(Boolean)).toEqual([body, body])
  })

  it('keeps the key of the dialog after a lost answer, and not after a refusal', async () => {
    const { user } = open()
    await user.click(await screen.findByRole('button', { name: 'Add administrator' }))
    const dialog = await screen.findByRole('dialog', { name: 'Add an administrator' })
    await user.type(within(dialog).getByLabelText('Name'), 'Cy Roe')
    await user.type(within(dialog).getByLabelText('E-mail address'), 'cy@agile.example')
    await user.click(within(dialog).getByRole('radio', { name: /^Support/ }))
    const submit = within(dialog).getByRole('button', { name: 'Add administrator' })
    server.post('/api/admin/administrators', unreachable)
    await user.click(submit)
    expect(await within(dialog).findByText(/The answer was lost/)).toBeVisible()
    const error = 'Another administrator has this e-mail address. Use another address.'
    server.post('/api/admin/administrators', refusal(409, { error }))
    await user.click(submit)
    expect(await within(dialog).findByText(error)).toBeVisible()
    server.post('/api/admin/administrators', { id: 'adm_3', message: 'Cy Roe is here.' })
    await user.click(submit)
    expect(await screen.findByText('Cy Roe is here.')).toBeVisible()
    const keys = server.calls
      .filter(({ path, body }) => path === '/api/admin/administrators' && Boolean(body))
      .map(({ headers }) => headers.get('idempotency-key'))
    expect(keys[1]).toBe(keys[0])
    expect(keys[2]).not.toBe(keys[0])
  })

  it('renames a person', async () => {
    const { user } = open()
    await user.click(await screen.findByRole('button', { name: 'Rename Bo Ek' }))
    const dialog = await screen.findByRole('dialog', { name: 'Rename Bo Ek' })
    const submit = within(dialog).getByRole('button', { name: 'Rename' })
    expect(submit).toBeDisabled()
    const name = within(dialog).getByLabelText('Name')
    await user.clear(name)
    await user.type(name, 'Bo Berg')
    server.post('/api/admin/administrators/:id/rename', { id: 'adm_2', message: 'Renamed.' })
    await user.click(submit)
    expect(await screen.findByText('Renamed.')).toBeVisible()
    expect(server.sentTo('/api/admin/administrators/:id/rename')).toEqual([{ name: 'Bo Berg' }])
  })

  it('changes a role', async () => {
    const { user } = open()
    await user.click(await screen.findByRole('button', { name: 'Change the role of Bo Ek' }))
    const dialog = await screen.findByRole('dialog', { name: 'Change the role of Bo Ek' })
    expect(within(dialog).getByRole('button', { name: 'Change role' })).toBeDisabled()
    server.patch('/api/admin/administrators/:id', { id: 'adm_2', message: 'Changed.' })
    await user.click(within(dialog).getByRole('radio', { name: /^Reader/ }))
    await user.click(within(dialog).getByRole('button', { name: 'Make Reader' }))
    expect(await screen.findByText('Changed.')).toBeVisible()
    expect(server.sentTo('/api/admin/administrators/:id')).toEqual([{ role: 'reader' }])
  })

  it('names the person and the consequence before an end', async () => {
    const { user } = open()
    await user.click(await screen.findByRole('button', { name: 'End Bo Ek' }))
    const dialog = await screen.findByRole('dialog', { name: 'End Bo Ek?' })
    expect(dialog).toHaveTextContent('bo@agilereceivables.example')
    expect(dialog).toHaveTextContent('is signed out at once, on every device')
    server.post('/api/admin/administrators/:id/end', { id: 'adm_2', message: 'Ended.' })
    await user.click(within(dialog).getByRole('button', { name: 'End Bo Ek' }))
    expect(await screen.findByText('Ended.')).toBeVisible()
  })

  it('removes all passkeys of a person who has some, and names the consequence', async () => {
    const { user } = open()
    await user.click(await screen.findByRole('button', { name: 'Remove all passkeys of Bo Ek' }))
    expect(screen.getAllByRole('button', { name: /^Remove all passkeys of/ })).toHaveLength(1)
    const dialog = await screen.findByRole('dialog', { name: 'Remove all passkeys of Bo Ek?' })
    expect(dialog).toHaveTextContent('is signed out at once')
    const path = '/api/admin/administrators/:id/remove-passkeys'
    server.post(path, { removed: 2, message: 'Removed.' })
    await user.click(within(dialog).getByRole('button', { name: 'Remove 2 passkeys' }))
    expect(await screen.findByText('Removed.')).toBeVisible()
    expect(server.sentTo(path)).toHaveLength(1)
  })

  it('says who adds the first owner, while no administrator is named', async () => {
    openAs('owner', '/admin/administrators', {
      name: null,
      before: () => server.get('/api/admin/administrators', { items: [] }),
    })
    expect(await screen.findByText(/admins add ada@example\.com/)).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Add administrator' })).toBeNull()
    expect(screen.getByText('Shared password')).toBeVisible()
  })
})

describe('the filter by person', () => {
  it('is in the URL, offers the shared password, and requests the acts of the person', async () => {
    const page = eventsPage([anEvent({ title: 'Data exported' })], {
      people: [{ id: 'adm_2', name: 'Bo Ek' }],
    })
    openAs('reader', '/admin/activity', { before: () => server.get('/api/admin/activity', page) })
    const select = await screen.findByLabelText('Person')
    await within(select).findByRole('option', { name: 'Bo Ek' })
    expect(
      within(select)
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toEqual(['All people', 'Bo Ek', 'Shared password'])
  })

  it('keeps the person of the URL', async () => {
    openAs('reader', '/admin/activity?person=shared&from=2026-03-01')
    expect(await screen.findByLabelText('Person')).toHaveValue('shared')
    await waitFor(() => {
      const [call] = server.calls.filter(({ path }) => path === '/api/admin/activity')
      expect(Object.fromEntries(new URLSearchParams(call?.search))).toMatchObject({
        person: 'shared',
        from: '2026-03-01',
      })
    })
  })
})
