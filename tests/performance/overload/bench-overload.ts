import { benchOf, webhookSecret } from '../billing/measured-product.ts'
import { onMeasuredProduct } from '../on-measured-product.ts'
import { milliseconds, perSecond, type Row } from '../report.ts'
import { kindsOf, signedInCustomers, signedOutAccounts } from './callers.ts'
import { closedLoop, openLoop, type Outcome } from './offered-load.ts'
import { secondsUntilRecovered } from './recovery.ts'
import { watchMemory } from './watch-memory.ts'

const password = 'the benchmark signs in with this'
const customers = 24
const administrators = 24
/** More than the sign-ins of a run: 60 s at 50/s, and two for each of 700 connections. */
const signedOut = 5_000
const warmUpSeconds = 5
const closedSeconds = 15
const floodSeconds = 30
const times = 10
const maxRecoverySeconds = 5
/** How much more memory the second half of the flood may take than the first half. */
const maxGrowth = 1.15

/**
 * Measures the rate that a product answers in a closed loop, then offers 10 times as many requests
 * of each kind at once in an open loop. Against it: the closed loop.
 */
export async function benchOverload(connectionString: string): Promise<readonly Row[]> {
  const env = { STRIPE_WEBHOOK_SECRET: webhookSecret, ADMIN_PASSWORD: password }
  return onMeasuredProduct(connectionString, env, async (product) => {
    const bench = benchOf(product, connectionString)
    const { url, pid } = product
    const kinds = kindsOf(
      await signedInCustomers(bench, customers),
      await signedOutAccounts(url, signedOut),
      // So many that none of them reaches its share.
      await adminCookies(url, administrators),
    )
    await closedLoop(url, kinds, warmUpSeconds)
    const sustainable = await closedLoop(url, kinds, closedSeconds)
    const memory = watchMemory(pid)
    const flooded = await openLoop(url, sustainable, times, floodSeconds)
    const samples = memory.stop()
    const seconds = await secondsUntilRecovered(url, kinds)
    return [
      ...flooded.map((outcome, index) => rowOf(outcome, sustainable[index])),
      memoryRow(samples),
      {
        what: 'recovery after the overload',
        measured: `${seconds.toFixed(1)} s`,
        target: { text: `< ${maxRecoverySeconds} s`, isMet: seconds < maxRecoverySeconds },
      },
    ]
  })
}

/** The rate under overload beside the closed loop, and what became of the other requests. */
function rowOf(flooded: Outcome, sustainable: Outcome | undefined): Row {
  const { kind, others, p50, p99, refused } = flooded
  const before = sustainable?.accepted ?? 0
  const otherEnds = [...others].map(([what, count]) => `${count} × ${what}`)
  return {
    what: `${kind.name}, ${(flooded.answered / before).toFixed(1)} × offered`,
    measured: `${perSecond(flooded.accepted)} accepted, p99 ${milliseconds(p99)}`,
    against: `closed loop, ${perSecond(before)}, p99 ${milliseconds(sustainable?.p99 ?? 0)}`,
    ratio: flooded.accepted / before,
    target: {
      text: `p99 ≤ ${kind.limitMs / 1_000} s, only 200 and 503`,
      isMet: p99 <= kind.limitMs && others.size === 0,
    },
    details: [
      `${kind.name}: ${refused} refused with 503; accepted: p50 ${milliseconds(p50)}; other ends: ${otherEnds.join(', ') || 'none'}.`,
    ],
  }
}

function memoryRow(samples: readonly number[]): Row {
  const half = Math.floor(samples.length / 2)
  const first = Math.max(...samples.slice(0, half))
  const second = Math.max(...samples.slice(half))
  return {
    what: 'resident memory, second half of the overload',
    measured: `${Math.round(second)} MB`,
    against: `first half, ${Math.round(first)} MB`,
    ratio: second / first,
    target: { text: `≤ ${maxGrowth.toFixed(2)}×`, isMet: second / first <= maxGrowth },
  }
}

/** One after the other: five tries at the same time are the most of a network. */
async function adminCookies(url: string, count: number): Promise<readonly string[]> {
  const cookies: string[] = []
  while (cookies.length < count) cookies.push(await adminCookie(url))
  return cookies
}

async function adminCookie(url: string): Promise<string> {
  const response = await fetch(`${url}/api/admin/login`, {
    method: 'POST',
    headers: { 'x-requested-with': 'fetch', 'content-type': 'application/json' },
    body: JSON.stringify({ password }),
  })
  if (!response.ok) throw new Error(`The administrator could not sign in: ${response.status}.`)
  await response.text()
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}
