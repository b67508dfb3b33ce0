import { describe, expect, it } from '@jest/globals'
import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { MemoryRouter } from 'react-router-dom'
import { ContactForm } from '../../web/features/contact/contact-form.tsx'
import { ToastHost } from '../../web/ui/toast-host.tsx'
import { refusal, startApiServer, unreachable } from './support/api-server.ts'
import { preload } from './support/open-page.tsx'

const server = startApiServer()
preload(() => import('../../web/features/contact/send-enquiry.ts'))

const texts = {
  first_name: 'Rosa',
  last_name: 'Delgado',
  email: 'rosa@delgadodental.example',
  phone_number: '(612) 555-0199',
  message: 'How do text reminders work?',
}
const labels = {
  first_name: 'First name *',
  last_name: 'Last name *',
  email: 'Email *',
  phone_number: 'Phone number *',
  message: 'Message *',
  goals: 'Goals',
} as const
type Name = keyof typeof labels

const field = (name: Name) => screen.getByLabelText<HTMLInputElement>(labels[name])
const submit = () => screen.getByRole('button', { name: 'Submit' })

function open() {
  render(
    <MemoryRouter>
      <ContactForm />
      <ToastHost limit={1} />
    </MemoryRouter>,
  )
  return userEvent.setup({ delay: null })
}

function fill(over: Partial<Record<Name, string>> = {}): void {
  for (const [name, value] of Object.entries({ ...texts, ...over }))
    fireEvent.input(field(name as Name), { target: { value } })
}

describe('the contact form', () => {
  it('marks the required fields with an asterisk, and states what Submit agrees to', () => {
    open()
    for (const name of Object.keys(texts)) expect(field(name as Name)).toBeRequired()
    expect(field('goals')).not.toBeRequired()
    expect(screen.getByText(/^Fields marked \* are required/)).toHaveTextContent(
      'Fields marked * are required. By selecting Submit you agree to our Privacy Policy. We reply within 1-2 business days.',
    )
    for (const link of screen.getAllByRole('link', { name: 'Privacy Policy' }))
      expect(link).toHaveAttribute('href', '/privacy-policy')
  })

  it('names each invalid field, focuses the first one and sends nothing', async () => {
    const user = open()
    fill({ last_name: ' ', email: 'rosa@', phone_number: 'none' })
    await user.click(submit())
    await waitFor(() =>
      expect(field('last_name')).toHaveAccessibleDescription('Last name is required.'),
    )
    expect(field('email')).toHaveAccessibleDescription('Enter a valid e-mail address.')
    expect(field('phone_number')).toHaveAccessibleDescription(/^Phone number has digits/)
    expect(field('last_name')).toHaveFocus()
    expect(field('first_name')).toBeValid()
    expect(server.calls).toEqual([])
    await user.type(field('last_name'), 'Delgado')
    expect(field('last_name')).not.toHaveAccessibleDescription()
    expect(field('email')).toHaveAccessibleDescription()
  })

  it('shows that it is submitting, thanks, and starts again with an empty form', async () => {
    let answer = () => {}
    const answered = new Promise<void>((resolve) => (answer = resolve))
    server.post('/api/enquiries', async () => {
      await answered
      return new Response('{}')
    })
    const user = open()
    fill({ goals: 'Fewer calls' })
    await user.click(submit())
    await waitFor(() => expect(submit()).toHaveAttribute('aria-busy', 'true'))
    expect(submit()).toHaveAttribute('aria-disabled', 'true')
    await user.click(submit())
    answer()

    const thanks = await screen.findByRole('heading', { name: 'Message Sent Successfully!' })
    expect(thanks).toHaveFocus()
    expect(thanks.parentElement).toHaveTextContent('within 1-2 business days')
    expect(screen.getByRole('status')).toHaveTextContent("Message sent!We'll get back to you soon.")
    expect(server.sentTo('/api/enquiries')).toEqual([
      { ...texts, goals: 'Fewer calls', website: '' },
    ])
    expect(server.calls[0]?.headers.get('X-Requested-With')).toBe('fetch')

    await user.click(screen.getByRole('button', { name: 'Send Another Message' }))
    expect(field('first_name')).toHaveFocus()
    for (const name of Object.keys(labels)) expect(field(name as Name)).toHaveValue('')
  })

  it.each([
    [
      'the text of the server',
      refusal(429, { error: 'Too many messages. Try again in 1 hour.' }),
      'Too many messages. Try again in 1 hour.',
    ],
    ['a text for an answer without one', refusal(500, {}), 'Something went wrong'],
    [
      'a text for a lost connection',
      unreachable,
      'Failed to send your message. Please try again later.',
    ],
  ])(
    'shows %s in a toast titled Error, and keeps what was written',
    async (_name, answer, text) => {
      server.post('/api/enquiries', answer)
      const user = open()
      fill()
      await user.click(submit())
      const toast = await screen.findByRole('alert')
      expect(toast).toHaveTextContent(`Error${text}`)
      for (const [name, written] of Object.entries(texts))
        expect(field(name as Name)).toHaveValue(written)
      expect(submit()).not.toHaveAttribute('aria-busy')
    },
  )

  it('marks the field that the server names', async () => {
    server.post('/api/enquiries', refusal(400, { error: 'Use another address.', field: 'email' }))
    const user = open()
    fill()
    await user.click(submit())
    await waitFor(() => expect(field('email')).toHaveAccessibleDescription('Use another address.'))
    expect(field('email')).toHaveFocus()
  })

  it('repeats the same message with the same key, and another one with another key', async () => {
    server.post('/api/enquiries', unreachable)
    const user = open()
    fill()
    for (const addition of ['', '', ' Thanks.']) {
      if (addition !== '') await user.type(field('message'), addition)
      const sent = server.calls.length
      await user.click(submit())
      await waitFor(() => expect(server.calls).toHaveLength(sent + 1))
      await waitFor(() => expect(submit()).not.toHaveAttribute('aria-busy'))
    }
    const [first, second, third] = server.calls.map(({ headers }) => headers.get('Idempotency-Key'))
    expect(first).toMatch(/^[\da-f-]{36}$/)
    expect(second).toBe(first)
    expect(third).not.toBe(first)
  })

  it('has a trap for programs that no person sees or reaches', () => {
    open()
    const trap = document.querySelector<HTMLInputElement>('input[name=website]')!
    expect(trap.tabIndex).toBe(-1)
    expect(trap.closest('[aria-hidden=true]')).not.toBeNull()
    expect(screen.queryByRole('textbox', { name: 'Website' })).toBeNull()
  })
})
