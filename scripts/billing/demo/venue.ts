import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { z } from 'zod'
import { sessionResponse } from '#contracts/auth'
import { plansResponse } from '#contracts/checkout'
import { StartupError } from '#services/foundation/startup-error'
import { createSignUpCounts, loopbackNetworks } from '#services/http/limits'
import type { Config } from '#services/settings/config'
import { hostToConnect } from '#services/foundation/host-to-connect'
import { startProduct } from '#services/start/start-product'
import { createStripeClient } from '#services/start/stripe-client'

/** The product and the sandbox that the demo plays in. */
export interface Venue {
  /** The product's address on this machine. */
  readonly productUrl: string
  readonly sandboxUrl: string
  /** Resolves when the product's clock has reached this time, which the sandbox's clock has. */
  followClock(until: Date): Promise<void>
  /** Call it before each call of a sign-up: the product limits sign-ups per network address. */
  beforeSignUp(): Promise<void>
  /** Whether other people can use the product during the demo. */
  readonly isShared: boolean
  /** What the operator does after the demo. */
  readonly next: string
  /** What a stop of the demo leaves. */
  readonly afterStop: string
  close(): Promise<void>
}

/** Starts the product for the demo. Only this command can reach it. */
export async function startOwnProduct(config: Config, signal: AbortSignal): Promise<Venue> {
  const product = await startProduct(
    // So it may name the customers' addresses.
    { ...config, host: '127.0.0.1', trustProxy: true, logLevel: logLevelOf(config) },
    () => undefined,
    signal,
  )
  return {
    productUrl: addressOf(config),
    sandboxUrl: sandboxAddress(config, String(config.sandbox?.port ?? 0)),
    followClock: () => product.followClock(),
    beforeSignUp: () => Promise.resolve(),
    isShared: false,
    next: 'Next: npm start',
    afterStop: 'The demo was stopped, and the product with it.',
    close: () => product.stop(),
  }
}

/** A product that counts more slowly than this has stopped. Milliseconds. */
const clockPatienceMs = 30_000
const pollMs = 50

/**
 * The product that runs on this database.
 * @throws StartupError if it cannot be reached, has other data, or has real keys
 */
export async function joinRunningProduct(
  config: Config,
  pool: pg.Pool,
  signal: AbortSignal,
): Promise<Venue> {
  const productUrl = addressOf(config)
  const read = async () =>
    sessionResponse.parse(await answerOf(`${productUrl}/api/auth/session`, signal))
  const { sandbox } = await read().catch((error: unknown) => {
    signal.throwIfAborted()
    throw new StartupError(
      `The product runs on this data, and does not answer at ${productUrl}. Set PORT as at its start, or stop it.`,
      { cause: error },
    )
  })
  const counts = createSignUpCounts(pool, loopbackNetworks)
  await refuseOtherData(productUrl, counts, signal)
  const inbox = sandbox?.inboxUrl ?? null
  const sandboxUrl = inbox === null ? null : sandboxAddress(config, new URL(inbox).port)
  if (sandboxUrl === null || !(await sellsPricesOf(productUrl, sandboxUrl, config, signal)))
    throw new StartupError(
      `The product at ${productUrl} runs with real keys for Stripe or SMTP. The demo needs the sandbox: stop the product, unset STRIPE_SECRET_KEY and SMTP_URL, and set another DATA_DIR.`,
    )
  return {
    productUrl,
    sandboxUrl,
    async followClock(until) {
      const deadline = performance.now() + clockPatienceMs
      while (Date.parse((await read()).now) < until.getTime()) {
        if (performance.now() > deadline)
          throw new StartupError(
            "The product's clock did not follow the sandbox's within 30 s. The product's log has the reason.",
          )
        await sleep(pollMs, undefined, { signal })
      }
    },
    beforeSignUp: () => counts.forget(),
    isShared: true,
    next: `Next: open ${config.publicUrl}/admin`,
    afterStop: 'The demo was stopped. The product continues.',
    close: () => Promise.resolve(),
  }
}

/**
 * Requests a code for an address without an account. It changes nothing but a count, which must
 * be in this database.
 * @throws StartupError if the product at this address counts elsewhere
 */
async function refuseOtherData(
  productUrl: string,
  counts: ReturnType<typeof createSignUpCounts>,
  signal: AbortSignal,
): Promise<void> {
  await counts.forget()
  await fetch(`${productUrl}/api/auth/request-otp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-requested-with': 'fetch' },
    body: JSON.stringify({ email: 'nobody@demo.invalid' }),
    signal,
  })
  if (await counts.isCounted('request-code')) return
  throw new StartupError(
    `The product at ${productUrl} has other data than this command. Set DATA_DIR and PORT as at the start of one product.`,
  )
}

/** Whether the product's plans have prices of this sandbox. */
async function sellsPricesOf(
  productUrl: string,
  sandboxUrl: string,
  config: Config,
  signal: AbortSignal,
): Promise<boolean> {
  const { plans } = plansResponse.parse(await answerOf(`${productUrl}/api/plans`, signal))
  const { data } = await createStripeClient(config, { url: sandboxUrl }).prices.list({ limit: 100 })
  const known = new Set(data.map(({ id }) => id))
  return plans.every(({ stripePriceId }) => known.has(stripePriceId))
}

async function answerOf(url: string, signal: AbortSignal): Promise<unknown> {
  const response = await fetch(url, { signal })
  if (!response.ok) throw new Error(`${url} answered ${response.status}.`)
  return z.json().parse(await response.json())
}

/** The host of PUBLIC_URL: the product redirects others to it. */
function addressOf({ publicUrl, port }: Config): string {
  return `http://${new URL(publicUrl).hostname}:${port}`
}

function sandboxAddress({ sandbox }: Config, port: string): string {
  return `http://${hostToConnect(sandbox?.host ?? '127.0.0.1')}:${port}`
}

/** Warnings would break the line of the progress, unless the operator requests them. */
function logLevelOf({ logLevel }: Config): string {
  return process.env['LOG_LEVEL'] === undefined ? 'error' : logLevel
}
