import pg from 'pg'
import type { DomainEvent } from '#contracts/events/catalogue'
import { ensureDatabase } from '#services/postgres/connect'
import { migrate } from '#services/postgres/migrate'
import { samplePayloads } from '../support/data/sample-payloads.ts'
import { startHistorySide, type GivenEvent } from '../support/product/history-side.ts'
import { foldLog } from './catch-up.ts'
import { masterKey, writeLog } from './log/write-log.ts'
import { milliseconds, type Row } from './report.ts'
import { percentile } from './statistics.ts'

const target = 100
const requests = 40
const userId = 'usr_audited'
const eventsOfUser = 5_000
const first = Date.parse('2020-01-01T00:00:00.000Z')
const hourMs = 3_600_000

/**
 * Measures the calls of the audit over HTTP, for a customer with 5,000 events in a generated log of
 * `count` events. Uses a separate database on the server of `connectionString`.
 */
export async function benchHistory(
  connectionString: string,
  count: number,
): Promise<readonly Row[]> {
  const url = new URL(connectionString)
  url.pathname = '/bench_history'
  await ensureDatabase(connectionString, 'bench_history')
  await migrate(url.href)
  const pool = new pg.Pool({ connectionString: url.href, max: 10 })
  const { rows } = await pool.query<{ any: boolean }>(
    'SELECT EXISTS (SELECT FROM log.event) AS any',
  )
  const isNew = !rows[0]?.any
  if (isNew) await writeLog(url.href, count, () => undefined)
  await foldLog(url.href, pool)
  const side = await startHistorySide({
    masterKey,
    database: { connectionString: url.href, pool, drop: () => pool.end() },
  })
  try {
    if (isNew) await side.given(...customer())
    await pool.query('VACUUM ANALYZE')
    const path = `/api/admin/users/${userId}/history`
    const halfway = new Date(first + (eventsOfUser / 2) * hourMs).toISOString()
    const calls: Readonly<Record<string, string>> = {
      'first page of 50': path,
      'first page of 200': `${path}?limit=200`,
      'last page of 200': `${path}?limit=200&after=${await lastCursor(path)}`,
      'kind billing, 50': `${path}?kind=billing`,
      'kind admin, without any event': `${path}?kind=admin`,
      'as of halfway, 50': `${path}?asOf=${halfway}`,
      'as of now, 50': `${path}?asOf=2030-01-01T00:00:00.000Z`,
      'as of now, kind account, 200': `${path}?asOf=2030-01-01T00:00:00.000Z&kind=account&limit=200`,
      'events of Total Revenue, 200': '/api/admin/events?total=totalRevenue&limit=200',
      'one event with its changes': `/api/admin/events/billing-${userId}/2000`,
    }
    const measured: Row[] = []
    for (const [what, call] of Object.entries(calls)) measured.push(await measure(what, call))
    return measured
  } finally {
    await side.close()
    await pool.end()
  }

  async function lastCursor(path: string): Promise<string> {
    let cursor = ''
    for (let next: string | null = ''; next !== null;) {
      cursor = next
      next = (await side.page(`${path}?limit=200${cursor && `&after=${cursor}`}`)).next
    }
    return cursor
  }

  async function measure(what: string, call: string): Promise<Row> {
    const times: number[] = []
    const cpuBefore = process.cpuUsage()
    for (let round = 0; round < requests; round += 1) {
      const began = performance.now()
      await side.page(call)
      times.push(performance.now() - began)
    }
    const { user, system } = process.cpuUsage(cpuBefore)
    const cpuMs = (user + system) / 1_000 / requests
    const p95 = percentile(times, 0.95)
    return {
      what: `history, ${what}`,
      measured: `p95 ${milliseconds(p95)}`,
      against: `p50 ${milliseconds(percentile(times, 0.5))}, worst ${milliseconds(Math.max(...times))}; ${milliseconds(cpuMs)} of a core in Node`,
      target: { text: `p95 < ${target} ms`, isMet: p95 < target },
    }
  }
}

/** Renewals and payments, and a sign-in for each: no two events in a row are of one stream. */
function customer(): readonly GivenEvent[] {
  const at = (hour: number) => new Date(first + hour * hourMs).toISOString()
  const of = (
    category: string,
    type: DomainEvent['type'],
    hour: number,
    data: object = samplePayloads[type],
  ) => ({ stream: `${category}-${userId}`, type, data, occurredAt: at(hour) }) as GivenEvent
  const email = 'audited@example.com'
  const begin = [
    of('account', 'AccountOpened', 0, { userId, email }),
    of('account', 'CompanyProfileCompleted', 1),
    of('billing', 'SubscriptionStarted', 2),
  ]
  const rest = Array.from({ length: eventsOfUser - begin.length }, (_, index) => {
    const hour = begin.length + index
    switch (index % 4) {
      case 0:
        return of('signIn', 'SignedIn', hour, { email })
      case 1:
        return of('billing', 'SubscriptionRenewed', hour)
      case 2:
        return of('signIn', 'CodeRequested', hour, { email, resend: 0 })
      default:
        return of('billing', 'PaymentSucceeded', hour, {
          ...samplePayloads.PaymentSucceeded,
          paymentId: `payment_${index}`,
          invoiceRef: `stripe:in_${index}`,
        })
    }
  })
  return [...begin, ...rest]
}
