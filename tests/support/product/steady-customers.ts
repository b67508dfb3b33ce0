import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, planDetails, profile, type Answer } from './client.ts'
import { inboxOf } from './inbox.ts'
import type { RunningProduct } from './run-product.ts'

/** A command of a customer that the product answered with 200. */
export type Click =
  | { readonly kind: 'entered'; readonly email: string; readonly userId: string }
  | { readonly kind: 'checkout'; readonly userId: string; readonly sessionId: string }

export interface SteadyCustomers {
  readonly clicks: readonly Click[]
  /** The duration of each request until its answer, in milliseconds. */
  readonly tookMs: readonly number[]
  /**
   * The number of answers 503 with a message and Retry-After. The customer sends such a command
   * again with the same key.
   */
  readonly refused: () => number
  /** Answers that no customer may get. */
  readonly wrong: readonly string[]
  stop(): Promise<void>
}

/**
 * Visitors who enter an address and their company, and signed-in customers who start checkouts.
 * Each sends one command after the other, and a refused one again after `retryMs`.
 */
export async function startCustomers(
  product: Pick<RunningProduct, 'url' | 'sandboxUrl'>,
  count: number,
  retryMs = 100,
): Promise<SteadyCustomers> {
  const clicks: Click[] = []
  const tookMs: number[] = []
  const wrong: string[] = []
  let refused = 0
  let isStopping = false

  /**
   * Sends a command until it succeeds. Sends one in five again with the same key: the answer must
   * be the same.
   */
  async function click(
    client: ReturnType<typeof createClient>,
    path: string,
    body: unknown,
    headers: Record<string, string>,
  ): Promise<Answer | null> {
    const withKey = { 'Idempotency-Key': randomUUID(), ...headers }
    const answer = await clickUntilDone(client, path, body, withKey)
    if (answer === null || Math.random() > 0.2) return answer
    const again = await clickUntilDone(client, path, body, withKey)
    if (again !== null && JSON.stringify(again.body) !== JSON.stringify(answer.body))
      wrong.push(`${path}: ${JSON.stringify(answer.body)}, then ${JSON.stringify(again.body)}`)
    return answer
  }

  async function clickUntilDone(
    client: ReturnType<typeof createClient>,
    path: string,
    body: unknown,
    headers: Record<string, string>,
  ): Promise<Answer | null> {
    for (;;) {
      const began = Date.now()
      const answer = await client.post(path, body, headers)
      tookMs.push(Date.now() - began)
      if (answer.status === 200) return answer
      const isRefusal =
        answer.status === 503 &&
        answer.headers.get('retry-after') !== null &&
        typeof answer.body?.['error'] === 'string'
      if (!isRefusal) {
        wrong.push(`${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
        return null
      }
      refused += 1
      await sleep(retryMs)
    }
  }

  async function visit(visitor: number): Promise<void> {
    for (let turn = 0; !isStopping; turn += 1) {
      const client = createClient(product)
      const email = `visitor${visitor}_${turn}@birchwood.example`
      // Each visitor has another address, because the rate limit allows few tries per address.
      const headers = {
        'X-Forwarded-For': `10.${visitor}.${Math.floor(turn / 250)}.${1 + (turn % 250)}`,
      }
      await click(client, '/api/auth/check-user', { email }, headers)
      const entered = await click(
        client,
        '/api/auth/complete-signup',
        { ...profile, email },
        headers,
      )
      if (entered !== null)
        clicks.push({ kind: 'entered', email, userId: String(entered.body?.['userId']) })
      await sleep(20)
    }
  }

  async function buy(
    client: ReturnType<typeof createClient>,
    email: string,
    userId: string,
  ): Promise<void> {
    while (!isStopping) {
      const started = await click(
        client,
        '/api/create-checkout-session',
        { email, priceId: 'price_sandbox_monthly', planDetails },
        {},
      )
      if (started !== null)
        clicks.push({ kind: 'checkout', userId, sessionId: String(started.body?.['sessionId']) })
      await sleep(20)
    }
  }

  const buyers = []
  for (let index = 0; index < count; index += 1) {
    const email = `buyer${index}@birchwood.example`
    const client = createClient(product)
    const headers = { 'X-Forwarded-For': `11.0.0.${index + 1}` }
    await client.post('/api/auth/check-user', { email }, headers)
    const { body } = await client.post('/api/auth/complete-signup', { ...profile, email }, headers)
    const userId = String(body?.['userId'])
    await client.post('/api/auth/request-otp', { email }, headers)
    const verified = await client.post(
      '/api/auth/verify-otp',
      { userId, otp: await inboxOf(product, email).code() },
      headers,
    )
    if (verified.body?.['isVerified'] !== true)
      throw new Error(`${email} could not sign in: ${JSON.stringify(verified.body)}`)
    buyers.push({ client, email, userId })
  }
  const clicking = Promise.all([
    ...Array.from({ length: count }, (_, visitor) => visit(visitor)),
    ...buyers.map(({ client, email, userId }) => buy(client, email, userId)),
  ])
  clicking.catch(() => {
    isStopping = true
  })
  return {
    clicks,
    tookMs,
    wrong,
    refused: () => refused,
    async stop() {
      isStopping = true
      await clicking
    },
  }
}
