import { describe, expect, it } from '@jest/globals'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { email, session } from '../support/auth-answers.ts'
import { startApiServer } from '../support/api-server.ts'
import { aBrand } from '../support/messages-data.ts'
import { left, openPage, preload } from '../support/open-page.tsx'
import { noFees, somePayments } from '../support/payments-data.ts'
import { anOverview, withoutPlan } from '../support/receivables-data.ts'

preload(
  () => import('../../../web/app/receivables-layout.tsx'),
  () => import('../../../web/features/receivables/payments/payments-page.tsx'),
)

const server = startApiServer()
const path = '/api/receivables/keys'
const item = {
  keyId: 'key_1',
  name: 'Ledger sync',
  ending: '9f3c',
  madeAt: '2026-11-20T18:00:00.000Z',
  lastUsedAt: null,
  revokedAt: null,
}

async function open(access = anOverview().access): Promise<void> {
  localStorage.setItem('userEmail', email)
  server.get('/api/auth/session', session)
  server.get('/api/receivables/overview', anOverview({ access }))
  server.get('/api/receivables/payments', somePayments({ access }))
  server.get('/api/receivables/brand', aBrand())
  server.get('/api/receivables/fees', noFees)
  server.get(path, { access, items: [item] })
  openPage('/receivables/payments')
  await screen.findByText('Ledger sync')
}

describe('the keys of programs', () => {
  it('shows a new key once, and copies it', async () => {
    await open()
    fireEvent.click(screen.getByRole('button', { name: 'Make a key' }))
    const dialog = await screen.findByRole('dialog')
    const make = within(dialog).getByRole('button', { name: 'Make the key' })
    fireEvent.click(make)
    expect(dialog).toHaveTextContent('Enter a name.')
    expect(server.sentTo(path)).not.toContainEqual({ name: '' })
    fireEvent.change(within(dialog).getByLabelText('Name of the program'), {
      target: { value: 'Ledger' },
    })
    server.post(path, { keyId: 'key_2', key: 'ark_secret' })
    fireEvent.click(make)
    expect(await within(dialog).findByLabelText('Key')).toHaveValue('ark_secret')
    fireEvent.click(within(dialog).getByRole('button', { name: 'Copy' }))
    expect(await within(dialog).findByText('Copied.')).toBeVisible()
    expect(left.copied).toEqual(['ark_secret'])
    fireEvent.click(within(dialog).getByRole('button', { name: 'Done' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(document.body).not.toHaveTextContent('ark_secret')
  })

  it('asks before a key is revoked', async () => {
    await open()
    fireEvent.click(screen.getByRole('button', { name: 'Revoke Ledger sync' }))
    const dialog = await screen.findByRole('dialog')
    expect(dialog).toHaveTextContent('The program is refused from then on.')
    server.post(`${path}/key_1/revoke`, { keyId: 'key_1' })
    server.get(path, {
      access: anOverview().access,
      items: [{ ...item, revokedAt: '2026-11-25T18:00:00.000Z' }],
    })
    fireEvent.click(within(dialog).getByRole('button', { name: 'Revoke' }))
    expect(await screen.findByText('Revoked')).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Revoke Ledger sync' })).toBeNull()
  })

  it('lets a merchant without a plan revoke a key, and make none', async () => {
    await open(withoutPlan)
    expect(screen.getByText(withoutPlan.sentence)).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Make a key' })).toBeNull()
    expect(screen.getByRole('button', { name: 'Revoke Ledger sync' })).toBeVisible()
  })
})
