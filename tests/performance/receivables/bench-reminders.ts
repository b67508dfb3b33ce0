import pg from 'pg'
import { parseUserId, type UserId } from '#contracts/ids'
import { createCodec } from '#services/event-store/encryption/codec'
import { inParallel } from '#services/foundation/in-parallel'
import { createFreshKeys } from '../log/fresh-keys.ts'
import { writeAppends } from '../log/log-writer.ts'
import { masterKey } from '../log/write-log.ts'
import { milliseconds, perSecond, type Row } from '../report.ts'
import { createSendingSide } from '../../support/receivables/sending-side.ts'
import { emptyDatabase } from './empty-database.ts'
import { simulateReceivables } from './simulate-receivables.ts'

/** Merchants whose clients are planned: 100 clients each, 10 invoices a client. */
const measuredMerchants = 10
const lanes = 3
const targetRate = 500

/** Sunday noon in New York: nothing may go out. */
const sunday = '2026-10-04T16:00:00.000Z'
/** The next day, after 9:30 and before 18:00 in all zones: all clients owe something. */
const monday = '2026-10-05T20:00:00.000Z'

const quiet = () => undefined

/**
 * Planning and sending in the log of `open` open invoices: the agenda reads the log once; then the
 * clients of ten merchants are planned on a day without sending, beside the bare reads of the same
 * streams, and messaged on the next one by a mail server that accepts at once.
 */
export async function benchReminders(
  connectionString: string,
  open: number,
): Promise<readonly Row[]> {
  const url = await emptyDatabase(connectionString, 'bench_reminders')
  const keys = createFreshKeys(masterKey)
  await writeAppends(url, simulateReceivables(open, createCodec(keys)), keys, Infinity, quiet)
  const pool = new pg.Pool({ connectionString: url, max: 12 })
  const side = await createSendingSide({
    at: sunday,
    database: { connectionString: url, pool, drop: () => pool.end() },
    masterKey,
  })
  try {
    const agenda = await timed(() => side.readLog())
    const events = await countOf(pool, 'SELECT count(*)::int AS count FROM log.event')
    const merchants = await measuredOf(pool)
    await pool.query(
      'UPDATE app.client_appointment SET due_at = NULL WHERE NOT merchant_id = ANY ($1)',
      [merchants],
    )
    for (const merchantId of merchants) {
      await side.addMerchant({ merchantId })
      await side.actAsMerchant(merchantId, {
        type: 'set-sending-limits',
        limits: { firstWeek: 10_000, later: 10_000 },
      })
    }
    const clients = await countOf(
      pool,
      'SELECT count(*)::int AS count FROM app.client_appointment WHERE due_at IS NOT NULL',
    )
    const streams = await streamsOf(pool, merchants)
    const bare = await timed(() =>
      inParallel(lanes, streams, async (ofClient) => {
        for (const stream of ofClient) await side.store.readStream(stream)
      }),
    )
    const planning = await timed(() => side.sendAll())
    side.setTime(monday)
    const sending = await timed(() => side.sendAll())
    const sent = side.mails.length + side.texts.length
    const rate = clients / planning.seconds
    return [
      {
        what: `agenda, ${events.toLocaleString('en-US')} events`,
        measured: perSecond(events / agenda.seconds),
      },
      {
        what: `planning of ${clients} clients, 10 invoices each`,
        measured: `${perSecond(rate)} clients`,
        against: `bare reads of their streams, ${perSecond(clients / bare.seconds)}`,
        ratio: bare.seconds / planning.seconds,
        details: [
          `A client takes ${milliseconds((planning.busy / clients) * 1_000)} of a processor in Node to plan, a message ${milliseconds((sending.busy / sent) * 1_000)} to send.`,
        ],
        target: { text: `≥ ${targetRate}/s`, isMet: rate >= targetRate },
      },
      {
        what: `sending, ${sent} messages`,
        measured: `${perSecond(sent / sending.seconds)}`,
        against: `planning, ${perSecond(rate)}`,
        ratio: sent / sending.seconds / rate,
      },
    ]
  } finally {
    await side.close()
  }
}

/** Seconds, and those of a processor in this process. */
async function timed(
  work: () => Promise<unknown>,
): Promise<{ readonly seconds: number; readonly busy: number }> {
  const began = performance.now()
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return { seconds: (performance.now() - began) / 1_000, busy: (user + system) / 1_000_000 }
}

async function countOf(pool: pg.Pool, query: string): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(query)
  return rows[0]?.count ?? 0
}

/** From the whole log, not its beginning only. */
async function measuredOf(pool: pg.Pool): Promise<readonly UserId[]> {
  const { rows } = await pool.query<{ merchant_id: string }>(
    'SELECT DISTINCT merchant_id FROM app.client_appointment ORDER BY merchant_id LIMIT $1',
    [measuredMerchants],
  )
  return rows.map(({ merchant_id }) => parseUserId(merchant_id))
}

/** By client. */
async function streamsOf(
  pool: pg.Pool,
  merchants: readonly UserId[],
): Promise<readonly (readonly string[])[]> {
  const { rows } = await pool.query<{ client_id: string; receivables: string[] }>(
    `SELECT client_id, array_agg(receivable_id) AS receivables
     FROM app.client_appointment JOIN app.client_receivable USING (client_id)
     WHERE merchant_id = ANY ($1) GROUP BY client_id`,
    [merchants],
  )
  return rows.map(({ client_id, receivables }) => [
    `client-${client_id}`,
    ...receivables.map((receivableId) => `receivable-${receivableId}`),
  ])
}
