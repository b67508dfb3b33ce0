import { describe, expect, it } from '@jest/globals'
import { fireEvent, screen, within } from '@testing-library/react'
import type { AdminRole } from '#contracts/admin/roles'
import { refusal, startApiServer } from './support/api-server.ts'
import { session, signedInAs } from './support/auth-answers.ts'
import { deadLetter } from './support/dead-letters.ts'
import { openPage, preload } from './support/open-page.tsx'
import { today } from './support/purchases-data.ts'

preload(
  () => import('../../web/features/admin/unsent/unsent-page.tsx'),
  () => import('../../web/features/admin/unsent/unsent-dialog.tsx'),
)

const server = startApiServer()
const path = (act: 'retry' | 'discard') => `/api/admin/dead-letters/:reactor/:eventId/${act}`

function open(items = [deadLetter], role: AdminRole = 'support', has_more = false) {
  localStorage.setItem('adminAuthenticated', 'true')
  const administrator = signedInAs(role)
  server.get('/api/auth/session', { ...session, isAdmin: true, administrator, now: today })
  server.get('/api/admin/dead-letters', { items, has_more })
  openPage('/admin/not-sent')
}
const press = (name: RegExp | string) => fireEvent.click(screen.getByRole('button', { name }))

describe('the messages that were not sent', () => {
  it('have their event, their last answer and a way to the history', async () => {
    open([deadLetter, { ...deadLetter, event_id: 'b', message: 'text', user_id: null }])
    const row = (await screen.findByText('Mail')).closest('tr')
    if (row === null) throw new Error('There is no row.')
    expect(within(row).getByText('EENVELOPE, 554, DATA')).toBeInTheDocument()
    expect(within(row).getByRole('link')).toHaveAttribute(
      'href',
      '/admin/users/usr_1/history?event=billing-usr_1%404',
    )
    expect(screen.getByRole('link', { name: 'Not sent (2)' })).toBeInTheDocument()
  })

  it('are retried with a reason, and the answer is reported', async () => {
    open()
    await screen.findByText('Mail')
    press('Retry the mail about “Payment succeeded”')
    const dialog = await screen.findByRole('dialog')
    expect(within(dialog).getByRole('button', { name: 'Try once more' })).toBeDisabled()
    fireEvent.change(screen.getByLabelText('Reason'), {
      target: { value: 'The cause was corrected' },
    })
    server.post(path('retry'), { message: 'The message is tried once more now.' })
    server.get('/api/admin/dead-letters', { items: [], has_more: false })
    press('Try once more')
    expect(await screen.findByText('The message is tried once more now.')).toBeInTheDocument()
    expect(await screen.findByText(/^Every message was sent/)).toBeInTheDocument()
    expect(screen.queryByRole('link', { name: /^Not sent/ })).not.toBeInTheDocument()
    expect(server.sentTo(path('retry'))).toEqual([{ why: 'cause-corrected' }])
  })

  it('are discarded with a reason, and a refusal is shown', async () => {
    open()
    await screen.findByText('Mail')
    press(/^Discard the mail/)
    await screen.findByRole('dialog')
    fireEvent.change(screen.getByLabelText('Reason'), {
      target: { value: 'The person was contacted directly' },
    })
    const error = 'Nothing was discarded: the message is being tried once more.'
    server.post(path('discard'), refusal(409, { error }))
    press('Discard the message')
    expect(await screen.findByText(error)).toBeInTheDocument()
    expect(server.sentTo(path('discard'))).toEqual([{ why: 'contacted-directly' }])
  })

  it('are read by every role, and decided by an owner or the support', async () => {
    open([deadLetter], 'reader')
    expect(await screen.findByText('EENVELOPE, 554, DATA')).toBeInTheDocument()
    expect(screen.queryByRole('button', { name: /^(Retry|Discard)/ })).not.toBeInTheDocument()
  })

  it('are the oldest ones if there are more', async () => {
    open([deadLetter], 'owner', true)
    expect(await screen.findByText(/billing notifications retry --all/)).toBeInTheDocument()
    expect(screen.getByRole('link', { name: 'Not sent (1+)' })).toBeInTheDocument()
  })
})
