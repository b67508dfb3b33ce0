import { describe, expect, it } from '@jest/globals'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { PaymentAccount, PaymentSettings } from '#contracts/receivables/payments'
import { email, session } from '../support/auth-answers.ts'
import { refusal, startApiServer, unreachable } from '../support/api-server.ts'
import { aBrand } from '../support/messages-data.ts'
import { left, openPage, preload } from '../support/open-page.tsx'
import { noFees, somePayments } from '../support/payments-data.ts'
import { anOverview, withoutPlan } from '../support/receivables-data.ts'

preload(
  () => import('../../../web/app/receivables-layout.tsx'),
  () => import('../../../web/features/receivables/payments/payments-page.tsx'),
)

const server = startApiServer()
const path = '/api/receivables/payments'
const since = '2026-11-20T18:00:00.000Z'
const connected = (over: Partial<PaymentAccount> = {}) => ({
  account: { state: 'active', accountId: 'acct_1', since, ...over } as const,
})

/** `asked` is what the provider says. Default: what is recorded. */
async function open(
  settings: PaymentSettings,
  asked: Parameters<typeof server.post>[1] = settings,
  address = '/receivables/payments',
): Promise<void> {
  localStorage.setItem('userEmail', email)
  server.get('/api/auth/session', session)
  server.get('/api/receivables/overview', anOverview({ access: settings.access }))
  server.get('/api/receivables/keys', { access: settings.access, items: [] })
  server.get('/api/receivables/brand', aBrand())
  server.get('/api/receivables/fees', noFees)
  server.get(path, settings)
  server.post(`${path}/account/refresh`, asked)
  openPage(address)
  await screen.findByRole('heading', { name: 'Stripe account' })
}

const panel = (name: string) => screen.getByRole('region', { name })
const button = (name: string) => screen.getByRole('button', { name })
const preview = () => screen.getByRole('article', { name: "Client's page" })
const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } })

describe('the account at the payment provider', () => {
  it('is connected by one press, which leads to the form', async () => {
    await open(somePayments())
    const account = panel('Stripe account')
    expect(account).toHaveTextContent('Not connected')
    expect(account).toHaveTextContent(
      'Of a payment of $50.00 through your page, the fee of your plan is $2.50 (5%). Stripe’s own costs come on top and are yours.',
    )
    expect(within(account).queryByRole('button', { name: 'Disconnect' })).toBeNull()
    server.post(`${path}/account/connect`, { url: 'https://connect.stripe.example/setup' })
    fireEvent.click(button('Connect Stripe'))
    await waitFor(() => expect(left.to).toEqual(['https://connect.stripe.example/setup']))
    expect(server.calls.filter((call) => call.path === `${path}/account/refresh`)).toEqual([])
  })

  it('is asked about after the return, because the return says nothing', async () => {
    const recorded = somePayments(connected({ state: 'unfinished' }))
    await open(recorded, somePayments(connected()), '/receivables/payments?account=returned')
    expect(await screen.findByText('Active')).toBeVisible()
    expect(button('Open Stripe')).toBeVisible()
  })

  it('says what the provider needs, and until when', async () => {
    const needs = { asked: 2, isOverdue: false, until: '2026-12-05T20:00:00.000Z' }
    await open(somePayments(connected()), somePayments(connected({ needs })))
    expect(
      await screen.findByText(
        'Stripe asks for 2 more answers by Dec 5, 2026. Without them your clients cannot pay after that day.',
      ),
    ).toBeVisible()
    expect(button('Answer at Stripe')).toBeVisible()
  })

  it.each([
    [{ state: 'unfinished' }, 'Not complete', 'Continue at Stripe'],
    [
      { state: 'asked', needs: { asked: 1, isOverdue: false, until: null } },
      'Stripe needs 1 more answer before',
      'Answer at Stripe',
    ],
    [{ state: 'in-review' }, 'Stripe checks your answers.', 'Open Stripe'],
    [{ state: 'no-payouts' }, 'Stripe keeps the money until', 'Continue at Stripe'],
    [{ state: 'rejected' }, 'Stripe declined the account', 'Open Stripe'],
    [{ state: 'lost', accountId: null }, 'Access removed', 'Connect again'],
    [{ state: 'disconnected', accountId: null }, 'You disconnected', 'Connect again'],
  ] as const)('%j is said in words with one act', async (account, words, act) => {
    await open(somePayments(connected(account)))
    await waitFor(() => expect(panel('Stripe account')).toHaveTextContent(words))
    expect(button(act)).toBeVisible()
  })

  it('is shown as it was recorded while the provider is away', async () => {
    await open(somePayments(connected()), refusal(502, { error: 'It does not answer.' }))
    expect(
      await screen.findByText('Stripe did not answer just now. This is what it said last.'),
    ).toBeVisible()
    expect(screen.getByText('Active')).toBeVisible()
    server.post(`${path}/account/refresh`, somePayments(connected({ state: 'no-payouts' })))
    fireEvent.click(button('Check again'))
    expect(await screen.findByText('No payouts')).toBeVisible()
  })

  it('offers a new link after an expired one', async () => {
    const recorded = somePayments(connected({ state: 'unfinished' }))
    await open(recorded, recorded, '/receivables/payments?account=expired')
    expect(await screen.findByText(/The link to Stripe has expired/)).toBeVisible()
    server.post(`${path}/account/connect`, unreachable)
    fireEvent.click(button('Continue at Stripe'))
    expect(await screen.findByText(/The answer was lost/)).toBeVisible()
    expect(left.to).toEqual([])
  })

  it('is disconnected after a question, and only the one that was shown', async () => {
    await open(somePayments(connected()))
    fireEvent.click(await screen.findByRole('button', { name: 'Disconnect' }))
    const dialog = await screen.findByRole('dialog')
    expect(dialog).toHaveTextContent('Your clients cannot pay by card from then on.')
    const after = somePayments({ account: { state: 'disconnected', since } })
    server.post(`${path}/account/disconnect`, after)
    server.get(path, after)
    fireEvent.click(within(dialog).getByRole('button', { name: 'Disconnect' }))
    expect(await screen.findByText('Disconnected')).toBeVisible()
    expect(server.sentTo(`${path}/account/disconnect`)).toEqual([{ accountId: 'acct_1' }])
    expect(screen.queryByRole('button', { name: 'Check again' })).toBeNull()
  })
})

describe('the link of an own gateway', () => {
  it('is filled in with an example, and saved with what the page showed', async () => {
    await open(somePayments())
    type('Link', 'https://pay.alder.example/{invoice}?sum=')
    const field = screen.getByLabelText<HTMLTextAreaElement>('Link')
    field.setSelectionRange(field.value.length, field.value.length)
    fireEvent.click(button('amount'))
    const link = 'https://pay.alder.example/{invoice}?sum={amount}'
    expect(field).toHaveValue(link)
    expect(screen.getByText('https://pay.alder.example/AD-1187?sum=1240.00')).toBeVisible()
    expect(panel('Link of your own gateway')).toHaveTextContent('can pay a part')
    expect(preview()).toHaveTextContent('Pay at pay.alder.example')
    const after = somePayments({ gatewayLink: link, hasWay: true })
    server.post(`${path}/link`, after)
    server.get(path, after)
    fireEvent.click(button('Save link'))
    expect(await screen.findByRole('button', { name: 'Remove link' })).toBeVisible()
    expect(server.sentTo(`${path}/link`)).toEqual([{ link, seen: null }])
    expect(button('Save link')).toBeDisabled()
  })

  it('with a mistake says where it is, and cannot be saved', async () => {
    await open(somePayments())
    type('Link', 'https://pay.alder.example/{invoce}')
    expect(screen.getByText(/^Character 27: There is no variable \{invoce\}/)).toBeVisible()
    expect(screen.getByLabelText('Link')).toBeInvalid()
    expect(button('Save link')).toBeDisabled()
    expect(preview()).toHaveTextContent('No way to pay is set up.')
  })

  it('of another window is not replaced', async () => {
    await open(somePayments({ gatewayLink: 'https://a.example', hasWay: true }))
    type('Link', 'https://b.example')
    server.post(`${path}/link`, refusal(409, { error: 'Changed.', code: 'changed-meanwhile' }))
    fireEvent.click(button('Save link'))
    expect(await screen.findByText('Changed.')).toBeVisible()
    expect(server.sentTo(`${path}/link`)).toEqual([
      { link: 'https://b.example', seen: 'https://a.example' },
    ])
    fireEvent.click(button('Discard'))
    expect(screen.getByLabelText('Link')).toHaveValue('https://a.example')
  })
})

describe('written instructions', () => {
  it('are shown as they are typed, saved and removed', async () => {
    await open(somePayments())
    type('Instructions', 'By check.\nThank you.')
    expect(preview()).toHaveTextContent('How to payBy check. Thank you.')
    const after = somePayments({ instructions: 'By check.\nThank you.', hasWay: true })
    server.post(`${path}/instructions`, after)
    server.get(path, after)
    fireEvent.click(button('Save instructions'))
    fireEvent.click(await screen.findByRole('button', { name: 'Remove instructions' }))
    await waitFor(() =>
      expect(server.sentTo(`${path}/instructions`)).toEqual([
        { text: 'By check.\nThank you.', seen: null },
        { text: null, seen: 'By check.\nThank you.' },
      ]),
    )
  })

  it('that are too long are refused in a sentence', async () => {
    await open(somePayments())
    type('Instructions', 'x'.repeat(2_001))
    expect(screen.getByText('The text has 2,000 characters at most.')).toBeVisible()
    expect(button('Save instructions')).toBeDisabled()
  })
})

describe('without a plan', () => {
  it('everything can be read, and only the account can be disconnected', async () => {
    const settings = somePayments({
      ...connected(),
      access: withoutPlan,
      feeBasisPoints: null,
      gatewayLink: 'https://a.example',
    })
    await open(settings)
    expect(screen.getByText(withoutPlan.sentence)).toBeVisible()
    expect(screen.getByText(/You have none now\.$/)).toBeVisible()
    expect(screen.getByLabelText('Link')).toHaveAttribute('readonly')
    const names = screen.getAllByRole('button').map(({ textContent }) => textContent)
    expect(names.filter((name) => /Save|Remove|Connect|Continue|Make/.test(name ?? ''))).toEqual([])
    expect(button('Disconnect')).toBeVisible()
  })
})
