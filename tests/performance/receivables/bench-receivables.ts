import pg from 'pg'
import { clientsQuery } from '#contracts/receivables/clients'
import { invoicesQuery } from '#contracts/receivables/invoices'
import { schemaOf } from '#projections/engine/read-model'
import { clientFigures } from '#projections/receivables/queries/client-figures'
import { openInvoicesOf } from '#projections/receivables/queries/client-invoices'
import { figureEvents } from '#projections/receivables/queries/figure-events'
import { clientsPage } from '#projections/receivables/queries/list-clients'
import { exportedClients, exportedInvoices } from '#projections/receivables/queries/exported-rows'
import { invoicesPage } from '#projections/receivables/queries/list-invoices'
import { overviewOf } from '#projections/receivables/queries/overview'
import { statementParts } from '#projections/receivables/queries/statement'
import { receivables } from '#projections/receivables/read-model'
import { addDays, parseDay, type Day } from '#services/finance/calendar'
import { ensureDatabase } from '#services/postgres/connect'
import { migrate } from '#services/postgres/migrate'
import { milliseconds, type Row } from '../report.ts'
import { percentile } from '../statistics.ts'
import {
  clientOf,
  fillReceivables,
  largestMerchant,
  merchantOf,
  today as todayText,
} from './fill-receivables.ts'

const schema = schemaOf(receivables)
/** Milliseconds. */
const target = 50
const measuredMerchants = 100

/**
 * What a merchant's screens read, with `open` open invoices in the read model: of 100 merchants
 * with 1,000 each, and of one with 100,000. Beside some of them: plain SQL of the same question.
 */
export async function benchReceivables(
  connectionString: string,
  open: number,
): Promise<readonly Row[]> {
  const url = new URL(connectionString)
  url.pathname = '/bench_receivables'
  await ensureDatabase(connectionString, 'bench_receivables')
  await migrate(url.href)
  const pool = new pg.Pool({ connectionString: url.href, max: 4 })
  try {
    await fillReceivables(pool, open)
    return await measureReceivables(pool, open)
  } finally {
    await pool.end()
  }
}

async function measureReceivables(pool: pg.Pool, open: number): Promise<readonly Row[]> {
  const merchants = Math.max(1, Math.round(open / 1_000))
  const many = Array.from({ length: measuredMerchants }, (_, at) =>
    merchantOf(Math.floor((at * merchants) / measuredMerchants)),
  )
  return [
    ...(await measure(pool, 'merchants with 1,000', many)),
    ...(await measure(pool, 'one with 100,000', Array<string>(20).fill(largestMerchant))),
  ]
}

type Question = (pool: pg.Pool, merchantId: string) => Promise<unknown>

async function measure(
  pool: pg.Pool,
  whose: string,
  merchants: readonly string[],
): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (const { what, ask, plain } of questions) {
    const times = await timesOf(pool, merchants, ask)
    const p95 = percentile(times, 0.95)
    const plainTimes = plain === undefined ? null : await timesOf(pool, merchants, plain)
    const median = percentile(times, 0.5)
    rows.push({
      what: `${what}, ${whose}`,
      measured: `p95 ${milliseconds(p95)}`,
      against:
        plainTimes === null
          ? `p50 ${milliseconds(median)}`
          : `p50 ${milliseconds(median)}; plain SQL p50 ${milliseconds(percentile(plainTimes, 0.5))}`,
      ...(plainTimes === null ? {} : { ratio: percentile(plainTimes, 0.5) / median }),
      target: { text: `p95 < ${target} ms`, isMet: p95 < target },
    })
  }
  return rows
}

/** The shorter of two runs contains less of the machine's other load. */
async function timesOf(
  pool: pg.Pool,
  merchants: readonly string[],
  ask: Question,
): Promise<readonly number[]> {
  const times: number[] = []
  for (const merchantId of merchants) {
    let best = Infinity
    for (let round = 0; round < 2; round += 1) {
      const began = performance.now()
      await ask(pool, merchantId)
      best = Math.min(best, performance.now() - began)
    }
    times.push(best)
  }
  return times
}

const parsed = parseDay(todayText)
if (parsed === null) throw new Error(`${todayText} is no day.`)
const today = parsed
const pastDay = addDays(today, -200)

const overview =
  (asOf: typeof today): Question =>
  (pool, merchantId) =>
    overviewOf(pool, merchantId, { asOf, currency: undefined }, today)
const invoices =
  (input: object): Question =>
  (pool, merchantId) =>
    invoicesPage(pool, merchantId, invoicesQuery.parse(input), today)
const clients =
  (input: object): Question =>
  (pool, merchantId) =>
    clientsPage(pool, merchantId, clientsQuery.parse(input), today)

function events(
  query: Pick<Parameters<typeof figureEvents>[2], 'figure' | 'bucket' | 'after'>,
  asOf = today,
): Question {
  return (pool, merchantId) =>
    figureEvents(pool, merchantId, { ...query, asOf, today, currency: 'usd', limit: 50 })
}

function statement(from: typeof today): Question {
  return (pool, merchantId) =>
    statementParts(pool, merchantId, clientOf(merchantId), { from, asOf: today })
}

/** The rows of the first answer of an export. */
function firstPart<Query>(
  rowsOf: (
    pool: pg.Pool,
    merchantId: string,
    query: Query,
    today: Day,
    signal: AbortSignal,
  ) => AsyncGenerator,
  query: { parse(input: unknown): Query },
): Question {
  return async (pool, merchantId) => {
    const rows = rowsOf(pool, merchantId, query.parse({}), today, new AbortController().signal)
    await rows.next()
    await rows.return(undefined)
  }
}

const later = new Map<string, string>()

/** A page in the middle of the events. The first round finds where it begins. */
async function eventsInTheMiddle(pool: pg.Pool, merchantId: string): Promise<unknown> {
  let after = later.get(merchantId)
  if (after === undefined) {
    const { rows } = await pool.query<{ after: string }>(
      `SELECT due_date || ' ' || receivable_id || ' 0' AS after FROM ${schema}.receivable
       WHERE merchant_id = $1 AND state = 'open' ORDER BY due_date, receivable_id
       OFFSET (SELECT count(*) / 2 FROM ${schema}.receivable WHERE merchant_id = $1 AND state = 'open') LIMIT 1`,
      [merchantId],
    )
    after = rows[0]?.after ?? ''
    later.set(merchantId, after)
  }
  return events({ figure: 'outstanding', after })(pool, merchantId)
}

const questions: readonly {
  readonly what: string
  readonly ask: Question
  readonly plain?: Question
}[] = [
  { what: 'overview', ask: overview(today) },
  {
    what: 'events of outstanding',
    ask: events({ figure: 'outstanding' }),
    plain: (pool, merchantId) =>
      pool.query(
        `SELECT m.* FROM ${schema}.movement m JOIN ${schema}.receivable r USING (receivable_id)
         WHERE m.merchant_id = $1 AND r.state = 'open' AND m.day <= $2
         ORDER BY m.day DESC, m.number DESC LIMIT 50`,
        [merchantId, today],
      ),
  },
  { what: 'events of outstanding, a page in the middle', ask: eventsInTheMiddle },
  {
    what: 'events of what is overdue for more than 90 days',
    ask: events({ figure: 'outstanding', bucket: 'over-90' }),
  },
  {
    what: 'events of outstanding as of yesterday',
    ask: events({ figure: 'outstanding' }, addDays(today, -1)),
  },
  {
    what: 'events of outstanding as of a past day',
    ask: events({ figure: 'outstanding' }, pastDay),
  },
  { what: 'events of collected', ask: events({ figure: 'collected' }) },
  { what: 'events of days to pay', ask: events({ figure: 'daysToPay' }) },
  {
    what: 'overview as of a past day',
    ask: overview(pastDay),
    plain: (pool, merchantId) =>
      pool.query(
        `SELECT ($2::date - due_date::date) / 30 AS bucket, sum(open), count(*) FROM (
           SELECT m.receivable_id, r.due_date, sum(m.amount_minor) AS open
           FROM ${schema}.movement m JOIN ${schema}.receivable r USING (receivable_id)
           WHERE m.merchant_id = $1 AND m.day <= $2 GROUP BY 1, 2) AS each
         WHERE open > 0 GROUP BY 1`,
        [merchantId, pastDay],
      ),
  },
  {
    what: 'first page of open invoices',
    ask: invoices({}),
    plain: (pool, merchantId) =>
      pool.query(
        `SELECT * FROM ${schema}.receivable WHERE merchant_id = $1 AND state = 'open'
         ORDER BY due_date, receivable_id LIMIT 20`,
        [merchantId],
      ),
  },
  {
    what: 'overdue invoices by amount',
    ask: invoices({ filter: 'overdue', sort: 'open', order: 'desc' }),
  },
  { what: 'paid invoices, page 20', ask: invoices({ filter: 'paid', page: 20 }) },
  {
    what: 'search of all invoices',
    ask: invoices({ search: 'client 7', filter: 'all' }),
    async plain(pool, merchantId) {
      const found = `${schema}.receivable WHERE merchant_id = $1 AND search_text LIKE '%client 7%'`
      await pool.query(`SELECT count(*) FROM ${found}`, [merchantId])
      await pool.query(`SELECT * FROM ${found} ORDER BY due_date, receivable_id LIMIT 20`, [
        merchantId,
      ])
    },
  },
  { what: 'search of open invoices', ask: invoices({ search: 'client 7' }) },
  { what: 'search of a number', ask: invoices({ search: 'inv-777' }) },
  { what: 'search that all open invoices match', ask: invoices({ search: 'inv-' }) },
  { what: 'search that no invoice matches', ask: invoices({ search: 'not there', filter: 'all' }) },
  { what: 'first part of an export of invoices', ask: firstPart(exportedInvoices, invoicesQuery) },
  { what: 'first page of clients', ask: clients({}) },
  { what: 'search of clients', ask: clients({ search: 'client 9' }) },
  { what: 'first part of an export of clients', ask: firstPart(exportedClients, clientsQuery) },
  {
    what: 'a client',
    async ask(pool, merchantId) {
      const clientId = clientOf(merchantId)
      await clientFigures(pool, merchantId, clientId, today, 20)
      await openInvoicesOf(pool, merchantId, clientId, today)
    },
  },
  { what: 'statement of a client, of a year', ask: statement(addDays(today, -365)) },
  { what: 'what a client reads in the portal', ask: statement(today) },
]
