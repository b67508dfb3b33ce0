import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { createAccounts } from '#services/accounts/accounts'
import { createCommandHandler } from '#services/commands/handle-command'
import { createCodec } from '#services/event-store/encryption/codec'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { systemClock } from '#services/foundation/clock'
import { randomIds } from '#services/foundation/ids'
import { freePort } from '../support/machine/free-port.ts'
import { temporaryDirectory } from '../support/machine/temporary-directory.ts'
import { startProduct } from '../support/product/run-product.ts'
import { masterKey } from './log/write-log.ts'
import { milliseconds, type Row } from './report.ts'
import { percentile } from './statistics.ts'
import { macKey } from '../support/event-store/mac-key.ts'
import { oneEmailKey } from '../support/data/one-email-key.ts'

const dashboards = 200
const connectionsPerSession = 10
/** Opening an account appends two events. */
const accountsPerSecond = 25
const firstAccounts = 500
const seconds = 20
const settleMs = 3_000
const targetPercent = 10
const emailHmacKey = Buffer.alloc(32, 4)
const password = 'a password of the benchmark'

/** What one dashboard shows: the cards and a page of users. */
const sameView = () => '/api/admin/summary,/api/admin/users?page=1&pageSize=20'
const ownView = (index: number) => `/api/admin/summary,/api/admin/users?search=${index}.example`

interface Measured {
  /** Percent of one core. */
  readonly cpu: number
  readonly eventsPerSecond: number
}

/**
 * Measures the processor time of the product while 50 events a second are appended by another
 * process: without dashboards, with 200 that show the same rows, and with 200 that each show other
 * rows. Dashboards receive the new rows on the stream, so this includes all that they load.
 */
export async function benchLive(connectionString: string): Promise<readonly Row[]> {
  const directory = await temporaryDirectory()
  const metricsPort = await freePort()
  const product = await startProduct({
    dataDir: directory.path,
    env: {
      DATABASE_URL: connectionString,
      EVENTSTORE_URL: undefined,
      MASTER_KEY: masterKey.toString('hex'),
      EMAIL_HMAC_KEY: emailHmacKey.toString('hex'),
      ADMIN_PASSWORD: password,
      METRICS_PORT: String(metricsPort),
      LOG_LEVEL: 'error',
    },
  })
  const visitors = createVisitors(connectionString)
  try {
    for (let index = 0; index < firstAccounts; index += 1) await visitors.open()
    const measure = () => measureCpu(metricsPort, visitors)
    const cookies = await signIns(product.url, dashboards / connectionsPerSession)
    const connect = (viewOf: (index: number) => string) =>
      Array.from({ length: dashboards }, (_, index) =>
        openDashboard(product.url, cookies[index % cookies.length] ?? '', viewOf(index)),
      )

    const before = await measure()
    const same = connect(sameView)
    const withSame = await measure()
    // Without other visitors, who would soon move the row to the next page.
    const delays = await delaysOf(() => same[0], visitors, 20)
    for (const { close } of same) close()
    const own = connect(ownView)
    const withOwn = await measure()
    const ownDelays = await whileArriving(visitors, () =>
      delaysOf((email) => own[Number(email.at(-9))], visitors, 40),
    )
    for (const { close } of own) close()
    await sleep(settleMs)
    const after = await measure()
    const alone = (before.cpu + after.cpu) / 2
    const refetch = await cpuOfRefetch(product.url, cookies[0] ?? '', metricsPort)

    const against = `${percent(alone)} without dashboards, at ${Math.round(withSame.eventsPerSecond)} events/s`
    const rowOf = (what: string, { cpu }: Measured): Row => ({
      what,
      measured: `${percent(cpu - alone)} of a core`,
      against,
      target: { text: `< ${targetPercent} %`, isMet: cpu - alone < targetPercent },
    })
    return [
      rowOf(`${dashboards} dashboards, same rows`, withSame),
      rowOf(`${dashboards} dashboards, ${dashboards} searches`, withOwn),
      {
        what: 'from a change to its rows in a dashboard',
        measured: `p95 ${milliseconds(percentile(delays, 0.95))}`,
        against: `p50 ${milliseconds(percentile(delays, 0.5))}`,
        target: { text: 'p95 < 2 s', isMet: percentile(delays, 0.95) < 2_000 },
      },
      {
        what: `the same, with ${dashboards} searches`,
        measured: `p95 ${milliseconds(percentile(ownDelays, 0.95))}`,
        against: `p50 ${milliseconds(percentile(ownDelays, 0.5))}`,
        target: { text: 'p95 < 2 s', isMet: percentile(ownDelays, 0.95) < 2_000 },
      },
      {
        what: 'cards and list by two requests',
        measured: `${milliseconds(refetch)} of processor time`,
        against: `${dashboards} dashboards every 1.5 s: ${percent((refetch * dashboards) / 15)}`,
      },
    ]
  } finally {
    await visitors.close()
    await product.stop()
    await directory.remove()
  }
}

const percent = (value: number): string => `${value.toFixed(1)} %`

/** Opens accounts in this process, as another process of the product does. */
function createVisitors(connectionString: string) {
  const pool = new pg.Pool({ connectionString, max: 4 })
  const store = createPostgresEventStore({ connectionString })
  const codec = createCodec(createPersonalKeys(pool, masterKey))
  const accounts = createAccounts({
    commands: createCommandHandler({ store, codec, clock: systemClock, macKey }),
    clock: systemClock,
    ids: randomIds,
    emailKeys: oneEmailKey(emailHmacKey),
  })
  let opened = 0
  const next = () => `visitor@${opened + 1}.example`
  return {
    /** The address of the next visitor. */
    next,
    async open(): Promise<void> {
      const email = next()
      opened += 1
      const id = randomIds.uuid()
      await accounts.findOrOpen(email, {
        commandId: id,
        correlationId: id,
        actor: { kind: 'system', id: 'bench' },
        source: 'system',
      })
    },
    position: () => store.lastPosition(),
    countAfter: (position: string | null) => store.countAfter(position),
    async close() {
      await store.close()
      await pool.end()
    },
  }
}
type Visitors = ReturnType<typeof createVisitors>

/** Calls `work` while visitors arrive at their rate. */
async function whileArriving<Result>(
  visitors: Visitors,
  work: () => Promise<Result>,
): Promise<Result> {
  let isOver = false
  const arrivals = (async () => {
    const began = performance.now()
    for (let count = 0; !isOver; count += 1) {
      await sleep(Math.max(0, began + (count * 1_000) / accountsPerSecond - performance.now()))
      await visitors.open()
    }
  })()
  try {
    return await work()
  } finally {
    isOver = true
    await arrivals
  }
}

/** Processor time of the product while visitors arrive at their rate. */
function measureCpu(metricsPort: number, visitors: Visitors): Promise<Measured> {
  return whileArriving(visitors, async () => {
    await sleep(settleMs)
    const position = await visitors.position()
    const began = performance.now()
    const cpuBefore = await cpuSeconds(metricsPort)
    await sleep(seconds * 1_000)
    const elapsed = (performance.now() - began) / 1_000
    const cpu = (((await cpuSeconds(metricsPort)) - cpuBefore) / elapsed) * 100
    return { cpu, eventsPerSecond: (await visitors.countAfter(position)) / elapsed }
  })
}

async function cpuSeconds(metricsPort: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  return Number(/^process_cpu_seconds_total (.*)$/m.exec(text)?.[1])
}

async function signIns(url: string, count: number): Promise<readonly string[]> {
  const cookies: string[] = []
  for (let index = 0; index < count; index += 1) {
    const response = await fetch(`${url}/api/admin/login`, {
      method: 'POST',
      headers: { 'x-requested-with': 'fetch', 'content-type': 'application/json' },
      body: JSON.stringify({ password }),
    })
    if (!response.ok) throw new Error(`The sign-in failed: ${await response.text()}`)
    cookies.push(
      response.headers
        .getSetCookie()
        .map((cookie) => cookie.split(';')[0])
        .join('; '),
    )
  }
  return cookies
}

interface Dashboard {
  /** Resolves when the stream has brought this text. */
  shows(text: string): Promise<void>
  close(): void
}

function openDashboard(url: string, cookie: string, watch: string): Dashboard {
  let wanted: { readonly text: string; readonly seen: () => void } | null = null
  let recent = ''
  const stream = request(`${url}/api/admin/live?${new URLSearchParams({ watch })}`, {
    headers: { cookie },
    agent: false,
  })
  stream.on('error', () => undefined)
  stream.on('response', (response) => {
    if (response.statusCode !== 200)
      throw new Error(`A stream was refused: ${response.statusCode ?? ''}`)
    response.setEncoding('utf8')
    response.on('error', () => undefined)
    response.on('data', (chunk: string) => {
      if (wanted === null) return
      recent = recent.slice(-200) + chunk
      if (recent.includes(wanted.text)) wanted.seen()
    })
  })
  stream.end()
  return {
    shows: (text) =>
      new Promise((seen) => {
        recent = ''
        wanted = { text, seen }
      }),
    close: () => void stream.destroy(),
  }
}

/** Milliseconds from the end of an append until the dashboard has received the row. */
async function delaysOf(
  dashboardOf: (email: string) => Dashboard | undefined,
  visitors: Visitors,
  count: number,
): Promise<readonly number[]> {
  const delays: number[] = []
  for (let index = 0; index < count; index += 1) {
    // At different moments of the server's rounds.
    await sleep(100 + index * 37)
    const email = visitors.next()
    const shown = dashboardOf(email)?.shows(`"${email}"`)
    await visitors.open()
    const began = performance.now()
    await shown
    delays.push(performance.now() - began)
  }
  return delays
}

/** Milliseconds of processor time for the cards and a page of users, by requests. */
async function cpuOfRefetch(url: string, cookie: string, metricsPort: number): Promise<number> {
  const rounds = 500
  const refetch = async () => {
    for (const path of ['summary', 'users'])
      await (await fetch(`${url}/api/admin/${path}`, { headers: { cookie } })).text()
  }
  for (let round = 0; round < 100; round += 1) await refetch()
  const before = await cpuSeconds(metricsPort)
  for (let round = 0; round < rounds; round += 1) await refetch()
  return (((await cpuSeconds(metricsPort)) - before) * 1_000) / rounds
}
