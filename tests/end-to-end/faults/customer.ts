import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createDashboard } from '../../../scripts/billing/demo/dashboard.ts'
import { makePerson } from '../../../scripts/billing/demo/person.ts'
import type { Random } from '../../../scripts/billing/demo/random.ts'
import { createClient, payAt, planDetails, profile } from '../../support/product/client.ts'
import { inboxOf } from '../../support/product/inbox.ts'
import { stripeAt } from '../../support/product/sandbox.ts'
import { ask, type Confirmed, type Tally } from './confirmed.ts'
import type { World } from './world.ts'

export interface Customer {
  readonly confirmed: Confirmed
  /** Performs one step, chosen by chance. Never rejects. */
  act(): Promise<void>
  /**
   * Buys a plan, if the customer is signed in and has none. Called after the faults. Returns the
   * last refusal if that is impossible, otherwise null.
   */
  buyAtTheEnd(): Promise<string | null>
}

/** A customer who signs up, buys, and changes what a customer can change. */
export function createCustomer(
  index: number,
  world: World,
  record: Tally,
  random: Random,
): Customer {
  const { email } = makePerson(index, random)
  const client = createClient(world, {
    'x-forwarded-for': `198.18.${index >> 8}.${1 + (index & 255)}`,
  })
  const dashboard = createDashboard(stripeAt(world.sandboxPort))
  const confirmed: Confirmed = {
    email,
    userIds: new Set(),
    isVerified: false,
    isSignedIn: false,
    hasPaid: false,
    cities: [],
    enquiries: [],
  }

  let lastRefusal = 'No request was refused.'

  const post = (path: string, body: object, headers: { [name: string]: string } = {}) =>
    ask(record, `POST ${path}`, async () => {
      const answer = await client.post(path, body, headers)
      if (answer.status >= 400)
        lastRefusal = `POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`
      return answer
    })
  const get = (path: string) => ask(record, `GET ${path}`, () => client.get(path))

  async function signIn(): Promise<void> {
    if ((await post('/api/auth/check-user', { email })) === null) return
    if (!confirmed.isVerified) {
      const entered = await post('/api/auth/complete-signup', { ...profile, email })
      if (entered === null) return
      confirmed.userIds.add(String(entered.body?.['userId']))
    }
    const requested = await post('/api/auth/request-otp', { email })
    if (requested === null) return
    const userId = String(requested.body?.['userId'])
    confirmed.userIds.add(userId)
    const otp = await inboxOf(world, email)
      .code()
      .catch(() => null)
    if (otp === null) return
    const verified = await post('/api/auth/verify-otp', { userId, otp })
    if (verified?.body?.['isVerified'] !== true) return
    confirmed.isVerified = true
    confirmed.isSignedIn = true
  }

  /** Two tabs click at the same time; the customer pays on every page that opens. */
  async function subscribe(): Promise<void> {
    const click = () =>
      post('/api/create-checkout-session', { email, priceId: 'price_sandbox_monthly', planDetails })
    const answers = await Promise.all(random.chance(0.5) ? [click(), click()] : [click()])
    const urls = new Set(
      answers.map((answer) => answer?.body?.['url']).filter((url) => typeof url === 'string'),
    )
    const paid = await Promise.all([...urls].map((url) => payAt(url).catch(() => null)))
    if (paid.some((answer) => answer?.status === 303)) confirmed.hasPaid = true
    await post('/api/billing/sync', {})
  }

  async function saveProfile(): Promise<void> {
    const saved = { city: `City ${confirmed.cities.length + 1}`, isConfirmed: false }
    confirmed.cities.push(saved)
    const { has_accepted_terms: _terms, ...form } = profile
    const shown = await get('/api/profile')
    if (shown === null) return
    const { profile_version } = shown.body ?? {}
    const answer = await ask(record, 'PATCH /api/profile', () =>
      client.send('PATCH', '/api/profile', { ...form, city: saved.city, profile_version }),
    )
    saved.isConfirmed = answer !== null
  }

  async function enquire(): Promise<void> {
    const message = `Question ${confirmed.enquiries.length + 1} of ${email}`
    const sent = { message, isConfirmed: false }
    confirmed.enquiries.push(sent)
    const key = { 'Idempotency-Key': randomUUID() }
    const form = {
      first_name: 'Dana',
      last_name: 'Whitlock',
      email,
      phone_number: '(218) 555-0147',
      message,
      goals: '',
      website: '',
    }
    // The page sends a click again with its key.
    for (let attempt = 0; attempt < 3 && !sent.isConfirmed; attempt += 1)
      sent.isConfirmed = (await post('/api/enquiries', form, key)) !== null
  }

  /** What the operator does in the provider's dashboard. The provider may refuse it. */
  async function operate(): Promise<void> {
    try {
      const stripe = stripeAt(world.sandboxPort)
      const [owner] = (await stripe.customers.list({ email })).data
      if (owner === undefined) return
      const choice = random.next()
      if (choice < 0.2) await dashboard.refund(owner.id, random.pick([1, 0.5, 0.1]))
      else if (choice < 0.4) await dashboard.pause(owner.id)
      else if (choice < 0.6) await dashboard.resume(owner.id)
      else if (choice < 0.7) await dashboard.issueCreditNote(owner.id, 0.1, 'balance')
      else {
        const [live] = (await stripe.subscriptions.list({ customer: owner.id })).data
        if (live === undefined) return
        // Afterwards the customer can buy again.
        if (choice > 0.8) await stripe.subscriptions.cancel(live.id)
        else
          await stripe.subscriptions.update(live.id, { cancel_at_period_end: random.chance(0.5) })
      }
    } catch {
      // The provider is away, or has nothing to refund. Its state is read at the end.
    }
  }

  async function look(): Promise<void> {
    const query = `?email=${encodeURIComponent(email)}`
    const answer = await get('/api/auth/session')
    if (answer !== null && answer.body?.['userId'] === null) confirmed.isSignedIn = false
    if (!confirmed.isSignedIn) return
    await get(`/api/payments${query}`)
    await get(`/api/subscriptions${query}`)
  }

  /** The answer of a payment can be lost. Then only the provider knows that the customer paid. */
  async function hasPlanAtProvider(): Promise<boolean> {
    const stripe = stripeAt(world.sandboxPort)
    for (const { id: customer } of (await stripe.customers.list({ email })).data)
      if ((await stripe.subscriptions.list({ customer })).data.length > 0) return true
    return false
  }

  return {
    confirmed,
    async buyAtTheEnd() {
      // The session can have ended while the customer did nothing but click.
      await look()
      if (!confirmed.isSignedIn) return null
      for (let attempt = 0; attempt < 5 && !confirmed.hasPaid; attempt += 1) await subscribe()
      return confirmed.hasPaid || (await hasPlanAtProvider()) ? null : lastRefusal
    },
    async act() {
      const choice = random.next()
      if (!confirmed.isSignedIn) await signIn()
      else if (!confirmed.hasPaid) await subscribe()
      else if (choice < 0.35) await look()
      else if (choice < 0.6) await subscribe()
      else if (choice < 0.75) await saveProfile()
      else if (choice < 0.8 && confirmed.enquiries.length < 2) await enquire()
      else await operate()
      // A code can be requested once in 60 s, and few times in a minute.
      await sleep(confirmed.isSignedIn ? random.between(20, 400) : random.between(1_000, 4_000))
    },
  }
}
