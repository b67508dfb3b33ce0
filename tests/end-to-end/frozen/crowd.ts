import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '../../support/product/client.ts'
import type { Dependency } from './dependency.ts'
import { networkOf, type World } from './world.ts'

/** One kind of request of a visitor. */
interface Visit {
  readonly name: string
  readonly needs: readonly Dependency[]
  send(turn: number): Promise<{ status: number; headers: Headers; body: unknown }>
}

export interface Crowd {
  /** Visits in progress and done since the last call of `begin`. */
  readonly seen: ReadonlyMap<string, { count: number; refused: number; longestMs: number }>
  /** Answers that nobody may get. */
  readonly wrong: readonly string[]
  /** From now on, visits that need the dependency may be refused. Forgets what was seen. */
  begin(frozen: Dependency | null): Promise<void>
  /** One visit of each kind. Returns the names of those that are not answered with success. */
  visitEach(): Promise<readonly string[]>
  /** Ends the crowd, and waits for the answers in progress. */
  stop(): Promise<void>
}

/** How many accounts request a code during one freeze. */
const accounts = 8

/** Sends a request every `everyMs`, without waiting for the answers of the earlier ones. */
export async function startCrowd(world: World, everyMs: number): Promise<Crowd> {
  const { product } = world
  const carla = await world.customer('carla@example.com')
  const admin = createClient(product)
  await admin.post('/api/admin/login', { password: product.adminPassword })
  const anyone = (turn: number) =>
    createClient(product, { 'x-forwarded-for': networkOf(`anyone ${turn}`) })

  const codeAddress = (account: number, freeze = freezes) => `code${freeze}-${account}@example.com`

  const visits: readonly Visit[] = [
    { name: 'a page', needs: [], send: () => anyone(0).get('/') },
    { name: 'the plans', needs: [], send: () => anyone(0).get('/api/plans') },
    {
      name: 'a new address',
      needs: ['PostgreSQL', 'EventStoreDB'],
      send: (turn) =>
        anyone(turn).post('/api/auth/check-user', { email: `visitor${turn}@example.com` }),
    },
    {
      name: 'own payments',
      needs: ['PostgreSQL'],
      send: () => carla.get('/api/payments?email=carla%40example.com'),
    },
    {
      name: 'a list of the administrator',
      needs: ['PostgreSQL'],
      send: () => admin.get('/api/admin/users?page=1'),
    },
    {
      name: 'a checkout',
      needs: ['PostgreSQL', 'EventStoreDB', 'the payment provider'],
      send: () => carla.createCheckoutSession('carla@example.com'),
    },
    {
      name: 'a sign-in code',
      needs: ['PostgreSQL', 'EventStoreDB', 'the mail server'],
      // Few resends are allowed, so each freeze has new accounts.
      send: (turn) =>
        anyone(turn).post('/api/auth/request-otp', { email: codeAddress(turn % accounts) }),
    },
  ]

  const seen = new Map<string, { count: number; refused: number; longestMs: number }>()
  const wrong: string[] = []
  let freezes = 0
  const underWay = new Set<Promise<unknown>>()
  let frozen: Dependency | null = null
  let isStopping = false
  let turn = 0

  /** Whether the visit was answered with success, or with a limit that is no failure. */
  async function visit({ name, needs, send }: Visit): Promise<boolean> {
    const mayFail = () => frozen !== null && needs.includes(frozen)
    const mayFailAtFirst = mayFail()
    turn += 1
    const began = performance.now()
    const answer = await send(turn).catch((error: unknown) => ({
      status: 0,
      headers: new Headers(),
      body: String(error),
    }))
    const found = seen.get(name) ?? { count: 0, refused: 0, longestMs: 0 }
    const isDone = answer.status < 400 && answer.status > 0
    const isLimit = answer.status === 429
    seen.set(name, {
      count: found.count + 1,
      refused: found.refused + (isDone || isLimit ? 0 : 1),
      longestMs: Math.max(found.longestMs, Math.round(performance.now() - began)),
    })
    if (isDone || isLimit) return true
    const isRefusal =
      [502, 503].includes(answer.status) &&
      Number(answer.headers.get('retry-after')) > 0 &&
      /"error":"[A-Z]/.test(JSON.stringify(answer.body))
    // A visit may begin before the freeze or end after it.
    if (!isRefusal || !(mayFailAtFirst || mayFail()))
      wrong.push(`${name}: ${answer.status} ${JSON.stringify(answer.body)} (frozen: ${frozen})`)
    return false
  }

  async function openAccounts(): Promise<void> {
    for (let account = 0; account < accounts; account += 1)
      await anyone(-freezes * accounts - account).post('/api/auth/check-user', {
        email: codeAddress(account, freezes + 1),
      })
    freezes += 1
  }

  async function run(): Promise<void> {
    for (let next = 0; !isStopping; next += 1) {
      const chosen = visits[next % visits.length]
      if (chosen !== undefined) {
        const done = visit(chosen).finally(() => underWay.delete(done))
        underWay.add(done)
      }
      await sleep(everyMs)
    }
  }
  await openAccounts()
  const running = run()

  return {
    seen,
    wrong,
    async begin(dependency) {
      if (dependency !== null) await openAccounts()
      frozen = dependency
      seen.clear()
    },
    async visitEach() {
      const outcomes = await Promise.all(
        visits.map(async (each) => ((await visit(each)) ? [] : [each.name])),
      )
      return outcomes.flat()
    },
    async stop() {
      isStopping = true
      await running
      await Promise.all(underWay)
    },
  }
}
