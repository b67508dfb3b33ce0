import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals'
import { createClient, payAt } from '../support/product/client.ts'
import { inboxOf } from '../support/product/inbox.ts'
import { billingInOneProcess } from '../support/product/billing-in-one-process.ts'
import { startProduct, type RunningProduct } from '../support/product/run-product.ts'
import { stripeAt } from '../support/product/sandbox.ts'
import { until } from '../support/machine/until.ts'

const runBilling = billingInOneProcess()

/* What a customer, a visitor and the support receive, read in the sandbox's inbox. */

const dayMs = 86_400_000
const brand = 'Agile Receivables'

let product: RunningProduct
let stripe: ReturnType<typeof stripeAt>
let admin: ReturnType<typeof createClient>
type Subscriber = Awaited<ReturnType<typeof subscriber>>
let anna: Subscriber
let bob: Subscriber

jest.setTimeout(120_000)
beforeAll(async () => {
  product = await startProduct({ env: { MAILS_PER_SECOND: '1000' } })
  stripe = stripeAt(Number(new URL(product.sandboxUrl).port))
  admin = createClient(product)
  await admin.post('/api/admin/login', { password: product.adminPassword })
  // It is day in Minnesota then, so that the texts need not wait.
  const noon = new Date(await now())
  noon.setUTCHours(18, 0, 0, 0)
  await advanceTo(noon.getTime() > (await now()) ? noon.getTime() : noon.getTime() + dayMs)
  ;[anna, bob] = await Promise.all([subscriber('anna'), subscriber('bob', '4000000000000341')])
}, 120_000)
afterAll(() => product?.stop())

/** The sandbox's clock, in milliseconds. */
async function now(): Promise<number> {
  const answer: unknown = await (await fetch(`${product.sandboxUrl}/clock`)).json()
  return Date.parse((answer as { now: string }).now)
}

async function advanceTo(ms: number): Promise<void> {
  const response = await fetch(`${product.sandboxUrl}/clock/advance`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ to: new Date(ms).toISOString() }),
  })
  if (response.status !== 200) throw new Error(await response.text())
}

/** Without dates and amounts. */
function inShort(subject: string | null): string {
  return (subject ?? 'text')
    .replace(/ on \w+ \d+, \d{4}$/, '')
    .replace(/^(Your card expires) .*$/, '$1')
    .replaceAll(/\$[\d,.]+/g, '$')
}

/** A person's messages. `expectNew` waits for messages with these subjects, in any order. */
function inbox(to: string) {
  const seen = new Set<string>()
  const read = async () =>
    (await inboxOf(product, to).read()).filter(
      ({ id, subject }) => !seen.has(id) && subject?.startsWith('Your sign-in code') !== true,
    )
  return {
    /** Returns the texts of the new messages, by subject. */
    async expectNew(...subjects: readonly string[]) {
      let messages = await read()
      await until(
        async () => (messages = await read()).length >= subjects.length,
        () => `came only ${messages.map(({ subject }) => subject).join(', ')}`,
        60,
      )
      expect(messages.map(({ subject }) => inShort(subject)).toSorted()).toEqual(
        subjects.toSorted(),
      )
      for (const { id } of messages) seen.add(id)
      return new Map(messages.map(({ subject, text }) => [inShort(subject), text]))
    },
  }
}

interface ReceivedMail {
  readonly id: string
  readonly subject: string
  readonly html: string
  readonly replyTo: string | null
  readonly listUnsubscribe: string | null
  readonly attachments: readonly { readonly contentType: string }[]
}

/** The mails to an address with their headers and files, newest first. */
async function mailsTo(to: string): Promise<readonly ReceivedMail[]> {
  const response = await fetch(`${product.sandboxUrl}/inbox.json?to=${encodeURIComponent(to)}`)
  return (await response.json()) as ReceivedMail[]
}

async function subscriber(name: string, card?: string) {
  const email = `${name}@example.com`
  const client = createClient(product)
  const userId = await client.signUp(email)
  const { body } = await client.createCheckoutSession(email)
  expect((await payAt(String(body?.['url']), card)).status).toBe(303)
  await client.post('/api/billing/sync')
  const { data } = await stripe.customers.list({ email })
  const customer = data[0]?.id ?? ''
  const subscription = (await stripe.subscriptions.list({ customer })).data[0]
  if (subscription === undefined) throw new Error(`${email} has no subscription.`)
  const mails = inbox(email)
  await mails.expectNew(
    `Welcome to ${brand}`,
    'Subscription activated: Monthly Plan',
    'Receipt for $',
  )
  return { client, email, userId, customer, subscription, mails }
}

/** Enters another card on the provider's page. */
async function enterCard({ client, email }: Subscriber, expiry: string) {
  const returnUrl = '/purchases'
  const link = { email, returnUrl, action: 'payment_method' }
  const { body } = await client.post('/api/create-customer-portal-session', link)
  const page = String(body?.['url'])
  const response = await fetch(`${page}/card`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({
      email: 'dana@example.com',
      cardNumber: '4242424242424242',
      expiry,
      cvc: '123',
      name: 'Dana Whitlock',
      country: 'US',
      postalCode: '55802',
    }),
  })
  expect(response.status).toBe(303)
}

describe('a customer receives', () => {
  it('a mail about each change of the plan, each payment and each refund', async () => {
    const { email, customer, subscription, mails } = anna
    const received = await mailsTo(email)
    const first = (subject: string) => received.find((mail) => mail.subject.startsWith(subject))
    expect(first('Welcome')?.listUnsubscribe).toContain('support@example.com')
    const receipt = first('Receipt')
    expect(receipt?.attachments).toMatchObject([{ contentType: 'application/pdf' }])
    const file = await fetch(`${product.sandboxUrl}/inbox/${receipt?.id}/attachments/1`)
    expect(await file.text()).toMatch(/^%PDF-/)

    await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: true })
    await mails.expectNew('Your Monthly Plan ends')
    await stripe.subscriptions.update(subscription.id, { cancel_at_period_end: false })
    await mails.expectNew('Your Monthly Plan continues')

    await stripe.subscriptions.update(subscription.id, {
      items: [{ id: subscription.items.data[0]?.id ?? '', price: 'price_sandbox_six_month' }],
      proration_behavior: 'always_invoice',
    })
    await mails.expectNew('Your plan is now the Six-Month Plan', 'Receipt for $')

    const [charge] = (await stripe.charges.list({ customer })).data
    await stripe.refunds.create({ charge: charge?.id ?? '', amount: 1_000 })
    await mails.expectNew('Refund of $')

    await stripe.subscriptions.cancel(subscription.id)
    await mails.expectNew('Your Six-Month Plan has ended')
  })

  it('a mail when the account is blocked, unblocked and deleted', async () => {
    const email = 'dora@example.com'
    const client = createClient(product)
    const userId = await client.signUp(email)
    const [mails, second] = [inbox(email), inbox(`second.${email}`)]
    await mails.expectNew(`Welcome to ${brand}`)
    const secondary = { userId, email: `second.${email}`, type: 'secondary' }
    expect((await admin.post('/api/admin/update-user-email', secondary)).status).toBe(200)
    await mails.expectNew(`A second sign-in address was added to your ${brand} account`)
    await second.expectNew(`Your address was added to an account of ${brand}`)
    await admin.post(`/api/admin/users/${userId}/toggle-block`)
    await mails.expectNew(`Your ${brand} account is blocked`)
    await admin.post(`/api/admin/users/${userId}/toggle-block`)
    await mails.expectNew(`Your ${brand} account is no longer blocked`)
    await client.signIn(email)
    expect((await client.post('/api/profile/delete', { email })).status).toBe(200)
    await mails.expectNew(`Your ${brand} account was deleted`)
  })

  it('the reminders of a failed renewal on days 0, 3, 5 and 7 by mail and text, and the recovery', async () => {
    const { userId, subscription, mails } = bob
    const texts = inbox('+12185550147')
    const renewsAt = (subscription.items.data[0]?.current_period_end ?? 0) * 1_000
    for (const [day, subject] of [
      [0, 'Your payment of $ failed'],
      [3, 'Reminder: your payment of $ failed'],
      [5, 'Your Monthly Plan is at risk: $ is unpaid'],
      [7, 'Last reminder: $ is unpaid'],
    ] as const) {
      await advanceTo(renewsAt + day * dayMs + 60_000)
      const found = await mails.expectNew(subject)
      expect(found.get(subject)).toMatch(/\$39\.00[^]*\/update-card\b/)
      const text = await texts.expectNew('text')
      expect(text.get('text')).toMatch(/\$39\.00.*\/update-card\nSTOP to opt out/)
    }
    await enterCard(bob, '08 / 32')
    await mails.expectNew('Your payment method was changed')
    await advanceTo(renewsAt + 8 * dayMs + 60_000)
    await mails.expectNew('We received your payment of $', 'Receipt for $')

    // The user's history shows what was sent.
    const history = await admin.get(`/api/admin/users/${userId}/history?kind=messages&limit=100`)
    const titles = JSON.stringify(history.body)
    for (const title of ['Mail sent', 'Text sent', 'Payment reminders ended'])
      expect(titles).toContain(title)
  })

  it('a mail before a card expires, and before a period of six months renews', async () => {
    const carl = await subscriber('carl')
    const { client, subscription, mails } = carl
    await stripe.subscriptions.update(subscription.id, {
      items: [{ id: subscription.items.data[0]?.id ?? '', price: 'price_sandbox_six_month' }],
      proration_behavior: 'always_invoice',
    })
    await mails.expectNew('Your plan is now the Six-Month Plan', 'Receipt for $')
    const present = await stripe.subscriptions.retrieve(subscription.id)
    const renewsAt = (present.items.data[0]?.current_period_end ?? 0) * 1_000
    // The mail about a card comes 30 days before the end of its last month. On the first day of a
    // month with 31 days it is not due yet.
    const aWeekAhead = new Date(renewsAt - 7 * dayMs)
    const at = aWeekAhead.getUTCDate() === 1 ? new Date(aWeekAhead.getTime() - dayMs) : aWeekAhead
    await enterCard(carl, at.toISOString().replace(/^..(..)-(..).*$/, '$2 / $1'))
    await client.post('/api/billing/sync')
    await mails.expectNew('Your payment method was changed')
    await advanceTo(at.getTime() + 60_000)
    await mails.expectNew('Your Six-Month Plan renews', 'Your card expires')
  })
})

it('a visitor and the support receive a mail about an enquiry, with the markup of a long name as text', async () => {
  const name = `<b onclick="x">${'Rosa & Söhne '.repeat(22)}`.trim().slice(0, 300)
  const visitor = createClient(product)
  const enquiry = {
    first_name: 'Rosa <i>',
    last_name: 'Delgado & "Co"',
    email: 'rosa@example.com',
    phone_number: '(612) 555-0199',
    message: `<script>alert(1)</script>\n${name}`,
    goals: '',
    website: '',
  }
  expect((await visitor.post('/api/enquiries', enquiry)).status).toBe(200)
  const received = await inbox('rosa@example.com').expectNew(`We received your message to ${brand}`)
  expect([...received.values()].join()).not.toContain('Rosa')
  const support = inbox('support@example.com')
  const [text] = (await support.expectNew('New enquiry from Rosa <i> Delgado & "Co"')).values()
  expect(text).toContain('<script>alert(1)</script>')
  const [mail] = await mailsTo('support@example.com')
  expect(mail?.html).not.toMatch(/<script|<i>|<b onclick/)
  expect(mail?.replyTo).toBe('rosa@example.com')
})

it('the operator sees a mail that a mail server does not take', async () => {
  const email = 'rosa@busy.test'
  const enquiry = {
    first_name: 'Rosa',
    last_name: 'Delgado',
    email,
    phone_number: '(612) 555-0199',
    message: 'How do text reminders work?',
    goals: '',
    website: '',
  }
  expect((await createClient(product).post('/api/enquiries', enquiry)).status).toBe(200)
  const billing = (...args: string[]) =>
    runBilling({ DATA_DIR: product.dataDir }, 'notifications', ...args)
  const stdout = await until(
    async () => {
      const list = await billing('list')
      return list.stdout.includes('is retried') && list.stdout
    },
    'no mail is retried',
    60,
  )
  expect(stdout).toMatch(
    /mails {2}EnquirySubmitted {2}enquiry-\S+ {2}is retried after \d+ attempts?: .*451, RCPT TO/,
  )
  expect((await billing('list', '--dead')).stdout).toBe('There is no dead letter.\n')
  expect(await billing('retry', '7a3b1e9c-5b0f-4a5c-8f43-0d1f2a3b4c5d')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('There is no dead letter of event 7a3b1e9c') as unknown,
  })
})
