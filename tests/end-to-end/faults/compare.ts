import type Stripe from 'stripe'
import { paymentsResponse } from '#contracts/purchases'
import { parseUserId } from '#contracts/ids'
import { createCodec, type DecodedEvent } from '#services/event-store/encryption/codec'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { accountStream } from '#services/foundation/stream-names'
import { toMajorUnits } from '#contracts/currency'
import { createClient } from '../../support/product/client.ts'
import { runBilling } from '../../support/product/run-billing.ts'
import { stripeAt } from '../../support/product/sandbox.ts'
import { compareFacts } from './compare-facts.ts'
import { compareMails } from './compare-mails.ts'
import type { Confirmed } from './confirmed.ts'
import type { World } from './world.ts'

/**
 * Compares the product with what it confirmed to its customers, with the provider and with its log.
 * Yields the differences as sentences.
 */
export async function* compare(
  world: World,
  customers: readonly Confirmed[],
): AsyncGenerator<string> {
  for (const args of [
    ['events', 'verify'],
    ['projections', 'verify'],
    ['report', 'reconciliation'],
  ]) {
    const { code, stdout, stderr } = await runBilling(world.settings, ...args)
    if (code !== 0) yield `billing ${args.join(' ')} ended with ${code}: ${stdout}${stderr}`
  }
  yield* await compareFacts(world)
  yield* await compareMails(world)

  const admin = createClient(world, { 'x-forwarded-for': '198.19.0.1' })
  await admin.post('/api/admin/login', { password: world.adminPassword })
  const { body } = await admin.get('/api/admin/users?pageSize=1')
  const entered = customers.filter(({ userIds }) => userIds.size > 0).length
  const total = Number(body?.['total'])
  // A sign-up whose answer was lost may have made an account.
  if (!(total >= entered && total <= customers.length))
    yield `${entered} of ${customers.length} customers have an account, and the list has ${total}.`
  const store = createPostgresEventStore({ connectionString: world.settings.DATABASE_URL })
  const keys = createPersonalKeys(world.pool, Buffer.from(world.settings.MASTER_KEY, 'hex'))
  const codec = createCodec(keys)
  const accountOf = async (userId: string) =>
    codec.decodeStream(await store.readStream(accountStream(parseUserId(userId))))
  try {
    for (const confirmed of customers) yield* compareOne(world, admin, accountOf, confirmed)
  } finally {
    await store.close()
  }
}

type AccountOf = (userId: string) => Promise<readonly DecodedEvent[]>

async function* compareOne(
  world: World,
  admin: ReturnType<typeof createClient>,
  accountOf: AccountOf,
  confirmed: Confirmed,
): AsyncGenerator<string> {
  const { email } = confirmed
  if (confirmed.userIds.size > 1)
    yield `${email} has more than one account: ${[...confirmed.userIds].join(', ')}.`
  const [userId] = confirmed.userIds
  if (userId === undefined) return

  const found = await admin.get(`/api/admin/users?search=${encodeURIComponent(email)}`)
  const users = (found.body?.['items'] ?? []) as { user_id: string; city?: string }[]
  const user = users.find((each) => each.user_id === userId)
  if (user === undefined) yield `${email} is not in the list of users.`
  yield* compareProfile(await accountOf(userId), confirmed)
  yield* await compareEnquiries(admin, confirmed)
  yield* await compareMoney(world, admin, confirmed)
}

/** The account's stream has every confirmed city, and no city twice. */
function compareProfile(
  events: readonly DecodedEvent[],
  { email, cities, isVerified }: Confirmed,
): readonly string[] {
  const saved = events.flatMap((event) =>
    event.type === 'ProfileUpdated' ? [event.data.city] : [],
  )
  const verifications = events.filter(({ type }) => type === 'EmailVerified').length
  return [
    ...cities
      .filter(({ city, isConfirmed }) => isConfirmed && !saved.includes(city))
      .map(({ city }) => `${email} saved ${city}, and the log lacks it.`),
    ...cities
      .filter(({ city }) => saved.filter((each) => each === city).length > 1)
      .map(({ city }) => `${email} saved ${city} once, and the log has it more than once.`),
    ...(verifications > 1 || (isVerified && verifications === 0)
      ? [`${email} was verified ${verifications} times.`]
      : []),
  ]
}

async function compareEnquiries(
  admin: ReturnType<typeof createClient>,
  { email, enquiries }: Confirmed,
): Promise<readonly string[]> {
  if (enquiries.length === 0) return []
  const { body } = await admin.get(
    `/api/admin/enquiries?search=${encodeURIComponent(email)}&pageSize=100`,
  )
  const items = (body?.['items'] ?? []) as { message: string }[]
  return enquiries.flatMap(({ message, isConfirmed }) => {
    const count = items.filter((item) => item.message === message).length
    return count > 1 || (isConfirmed && count === 0)
      ? [`'${message}' (${isConfirmed ? 'confirmed' : 'not confirmed'}) is there ${count} times.`]
      : []
  })
}

/** The provider has at most one subscription at a time, and the page shows its paid invoices. */
async function compareMoney(
  world: World,
  admin: ReturnType<typeof createClient>,
  { email }: Confirmed,
): Promise<readonly string[]> {
  const problems: string[] = []
  const stripe = stripeAt(world.sandboxPort)
  const owners = (await stripe.customers.list({ email })).data
  if (owners.length > 1) problems.push(`${email} has ${owners.length} customers at the provider.`)
  const lists = await Promise.all(
    owners.map(async ({ id: customer }) => ({
      subscriptions: (await stripe.subscriptions.list({ customer, status: 'all', limit: 100 }))
        .data,
      invoices: (await stripe.invoices.list({ customer, limit: 100 })).data,
    })),
  )
  const subscriptions = lists.flatMap((list) => list.subscriptions)
  problems.push(
    ...overlaps(subscriptions).map((pair) => `${email} had two subscriptions: ${pair}.`),
  )

  const paid = lists.flatMap((list) => list.invoices).filter(({ status }) => status === 'paid')
  const charged = paid.filter(({ amount_paid: amount }) => amount > 0)
  const { body } = await admin.get(`/api/payments?email=${encodeURIComponent(email)}`)
  const shown = paymentsResponse.safeParse(body)
  if (!shown.success) return [...problems, `The payments of ${email} are ${JSON.stringify(body)}.`]
  const amounts = shown.data.payments
    .map(({ amount_total: amount }) => amount)
    .filter((amount) => amount > 0)
  const expected = charged.map(({ amount_paid: amount, currency }) =>
    toMajorUnits(amount, currency),
  )
  if (sorted(amounts) !== sorted(expected))
    problems.push(`${email} paid ${sorted(expected)}, and the page shows ${sorted(amounts)}.`)
  return problems
}

/** Pairs of subscriptions that lived at the same time. */
function overlaps(subscriptions: readonly Stripe.Subscription[]): readonly string[] {
  const lives = subscriptions
    .filter(({ status }) => status !== 'incomplete_expired')
    .map(({ id, created, ended_at: end }) => ({ id, from: created, to: end ?? Infinity }))
    .sort((a, b) => a.from - b.from)
  return lives.flatMap((life, index) => {
    const before = lives[index - 1]
    return before !== undefined && before.to > life.from ? [`${before.id} and ${life.id}`] : []
  })
}

const sorted = (amounts: readonly number[]) => [...amounts].sort((a, b) => a - b).join(', ')
