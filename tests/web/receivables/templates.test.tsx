import { describe, expect, it } from '@jest/globals'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { ShownTemplate, TemplatesResponse } from '#contracts/receivables/templates'
import { email, session } from '../support/auth-answers.ts'
import { startApiServer } from '../support/api-server.ts'
import { aBrand, aPreview, someTemplates } from '../support/messages-data.ts'
import { openPage, preload } from '../support/open-page.tsx'
import { anInvoicesPage, anOverview, withoutPlan } from '../support/receivables-data.ts'

preload(
  () => import('../../../web/app/receivables-layout.tsx'),
  () => import('../../../web/features/receivables/templates/templates-page.tsx'),
)

const server = startApiServer()
const path = '/api/receivables/templates'

async function open(
  over: Partial<TemplatesResponse> = {},
  firmMail: Partial<ShownTemplate> = {},
): Promise<void> {
  localStorage.setItem('userEmail', email)
  server.get('/api/auth/session', session)
  server.get(
    '/api/receivables/overview',
    anOverview({ access: over.access ?? someTemplates().access }),
  )
  server.get('/api/receivables/invoices', anInvoicesPage())
  server.get('/api/receivables/brand', aBrand())
  server.get(path, someTemplates(over, firmMail))
  server.post(`${path}/preview`, aPreview)
  openPage('/receivables/templates')
  await screen.findByText('Invoice AD-1187: $840.00')
}

const editor = (name: string) => within(screen.getByRole('region', { name }))
const save = () => screen.getByRole('button', { name: 'Save texts' })
const field = (region: string, label = 'Text') =>
  editor(region).getByLabelText<HTMLTextAreaElement>(label)
const type = (element: HTMLTextAreaElement, value: string) =>
  fireEvent.change(element, { target: { value } })

describe('the templates', () => {
  it('show mail and text of a tone on an invoice, and their length', async () => {
    await open()
    expect(screen.getByRole('tab', { selected: true })).toHaveTextContent('Friendly')
    expect(field('Friendly e-mail', 'Subject')).toHaveValue('{invoices}: {amount}')
    expect(
      screen.getByRole('img', { name: '177 of 306 characters, 2 of 2 segments' }),
    ).toBeVisible()
    const preview = within(screen.getByRole('article', { name: 'E-mail' }))
    expect(preview.getByText('Hello Grace Whitaker,')).toBeVisible()
    expect(preview.queryByRole('link')).toBeNull()
    expect(save()).toBeDisabled()
  })

  it('are saved with the version they were typed into, in all tones at once', async () => {
    await open()
    type(field('Friendly text'), 'Pay: {link}')
    fireEvent.keyDown(screen.getByRole('tab', { selected: true }), { key: 'ArrowRight' })
    expect(screen.getByRole('tab', { selected: true })).toHaveFocus()
    type(field('Firm e-mail', 'Subject'), 'Please pay')
    expect(screen.getByRole('tab', { name: /^Friendly/ })).toHaveTextContent('not saved')
    server.post(path, { items: someTemplates().items })
    fireEvent.click(save())
    await waitFor(() => expect(save()).toBeDisabled())
    expect(server.sentTo(path)).toContainEqual({
      templates: [
        { tone: 'friendly', channel: 'text', body: 'Pay: {link}', version: 0 },
        {
          tone: 'firm',
          channel: 'mail',
          subject: 'Please pay',
          body: 'Hello {client},\n\nopen: {amount}.',
          version: 0,
        },
      ],
    })
  })

  it('say what is wrong at which place, and are not sent', async () => {
    await open()
    type(field('Friendly e-mail'), 'Hello {clent}')
    expect(field('Friendly e-mail')).toHaveAccessibleDescription(
      /^Line 1, column 7: There is no variable \{clent\}/,
    )
    fireEvent.click(screen.getByRole('tab', { name: 'Final' }))
    fireEvent.click(save())
    // The tone with the problem is shown.
    expect(screen.getByRole('tab', { selected: true })).toHaveTextContent('Friendly')
    expect(server.sentTo(path)).toEqual([undefined])
  })

  it('take a variable where the caret is', async () => {
    await open()
    const body = field('Friendly e-mail')
    type(body, 'Hello , pay.')
    body.focus()
    body.setSelectionRange(6, 6)
    fireEvent.click(editor('Friendly e-mail').getByRole('button', { name: 'client' }))
    expect(body).toHaveValue('Hello {client}, pay.')
    expect(body).toHaveFocus()
    expect(body.selectionStart).toBe(14)
    expect(editor('Friendly e-mail').queryByRole('button', { name: 'link' })).toBeNull()
    expect(editor('Friendly text').getByRole('button', { name: 'link' })).toBeVisible()
  })

  it('take a variable into the subject, although the keyboard passes the text', async () => {
    await open()
    const subject = field('Friendly e-mail', 'Subject')
    type(subject, 'Pay ')
    subject.setSelectionRange(4, 4)
    for (const element of [field('Friendly e-mail'), subject])
      fireEvent.keyDown(element, { key: 'Tab' })
    field('Friendly e-mail').focus()
    fireEvent.click(editor('Friendly e-mail').getByRole('button', { name: 'amount' }))
    expect(subject).toHaveValue('Pay {amount}')
    expect(subject).toHaveFocus()
  })

  it('keep what was typed if another window saved, and show the reason', async () => {
    await open()
    type(field('Friendly text'), 'Mine {link}')
    const error = 'This was changed in another window meanwhile, so nothing was saved.'
    server.post(path, { status: 409, json: { error, code: 'changed-meanwhile' } })
    fireEvent.click(save())
    expect(await screen.findByText(error)).toBeVisible()
    expect(field('Friendly text')).toHaveValue('Mine {link}')
    fireEvent.click(screen.getByRole('button', { name: 'Discard' }))
    expect(field('Friendly text')).toHaveValue('Open: {amount}. {link}')
  })

  it('are restored after a question', async () => {
    await open({}, { subject: 'Mine', version: 4, changedAt: '2026-10-02T18:00:00.000Z' })
    fireEvent.click(screen.getByRole('tab', { name: 'Firm' }))
    expect(editor('Firm e-mail').getByText('Changed Oct 2, 2026')).toBeVisible()
    fireEvent.click(screen.getByRole('button', { name: 'Restore the original' }))
    const dialog = within(await screen.findByRole('dialog'))
    server.post(`${path}/restore`, { items: someTemplates().items })
    fireEvent.click(dialog.getByRole('button', { name: 'Restore' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(server.sentTo(`${path}/restore`)).toEqual([
      { tone: 'firm', channel: 'mail', version: 4 },
    ])
  })

  it('can be read without a plan, and not changed', async () => {
    await open({ access: withoutPlan })
    expect(screen.getByText(withoutPlan.sentence)).toBeVisible()
    expect(field('Friendly e-mail')).toHaveAttribute('readonly')
    expect(screen.queryByRole('button', { name: 'Save texts' })).toBeNull()
  })
})
