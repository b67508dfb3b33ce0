import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { ensureDatabase } from '#services/postgres/connect'
import { startEmbeddedPostgres } from '#services/postgres/embedded-postgres'
import { migrate } from '#services/postgres/migrate'
import { benchAppend } from './append.ts'
import { benchBilling } from './billing/bench-billing.ts'
import { benchEventStoreDb } from './eventstoredb/bench-eventstoredb.ts'
import { benchCopy } from './eventstoredb/copy.ts'
import { benchImport } from './eventstoredb/import.ts'
import { benchHistory } from './history.ts'
import { benchLag } from './lag.ts'
import { benchLive } from './live.ts'
import { benchOverload } from './overload/bench-overload.ts'
import { benchReceivablesImport } from './receivables/bench-import.ts'
import { benchReceivables } from './receivables/bench-receivables.ts'
import { benchReceivablesLog } from './receivables/bench-receivables-log.ts'
import { benchReminders } from './receivables/bench-reminders.ts'
import { benchReplay } from './replay.ts'
import { benchReportPages } from './report-pages.ts'
import { benchReports } from './reports.ts'
import { benchRebuildEach } from './rebuild-each.ts'
import { benchRebuild } from './rebuild.ts'
import { benchShards } from './shards.ts'
import { benchSwap } from './swap.ts'
import { benchSignIn } from './sign-in/bench-sign-in.ts'
import { benchSite } from './site/bench-site.ts'
import { benchStreams } from './streams/bench-streams.ts'
import { benchTracing } from './tracing.ts'
import { benchVerify } from './verify.ts'
import { isComplete, writeLog } from './log/write-log.ts'
import { describeMachine } from './machine.ts'
import { tableOf, type Row } from './report.ts'
import { benchAdmin } from './admin-lists.ts'
import { benchConsoleTable } from './console-table.ts'

const usage = `npm run bench -- [section …] [--events 1000000] [--rounds 3] [--keep <directory>]

Measure the log and the projections on a separate PostgreSQL server with fsync on, over a generated
log. The table shows each figure beside the figure that it is compared with, from the same run.

Sections  default: append, replay, rebuild, shards, swap, reports, lag
          on request: rebuild-each (each read model alone, and all of them together),
          verify (events verify: chains and MACs),
          report-pages (the answers of the Reports page from its read model),
          admin (the administrator's pages, with --events users),
          receivables (a merchant's screens, with --events open invoices),
          receivables-import (an import of 10,000 rows into a running product),
          receivables-log (the log of --events open invoices: rebuild, verify, seal, backup),
          reminders (planning and sending, in the log of --events open invoices),
          table (100 rows of the console in Chromium),
          live (live updates of 200 open dashboards),
          history (the audit of a customer with 5,000 events, in a log of --events),
          billing (webhooks and checkouts of a running product with its sandbox),
          sign-in (complete sign-ins of a running product),
          tracing (calls of a product with traces, and without),
          overload (10 times the sustainable load of a running product),
          site (the public pages in Lighthouse; a missed target ends with exit code 1),
          streams (commands on streams of 100 to 50,000 events, with and without the stream cache, and
          its heap; on EVENTSTORE_URL too, if set),
          eventstoredb (the log in the EventStoreDB of EVENTSTORE_URL, compared with a bare client),
          copy (the log copied into the EventStoreDB of EVENTSTORE_URL)
          import (an export of the log imported into the EventStoreDB of EVENTSTORE_URL)
--events  number of events in the log; 100000 for a short run
--rounds  how often rebuild and reports repeat their work; 1 for a log of ten million events
--keep    keep the database in this directory, and use the log of an earlier run in it
`

/**
 * In the order in which they run. Appends run last, because no read model can fold the events that
 * they add.
 */
const sections: Readonly<
  Record<
    string,
    (connectionString: string, events: number, rounds: number) => Promise<readonly Row[]>
  >
> = {
  replay: benchReplay,
  rebuild: benchRebuild,
  shards: benchShards,
  swap: benchSwap,
  reports: benchReports,
  verify: benchVerify,
  copy: benchCopy,
  import: benchImport,
  'rebuild-each': benchRebuildEach,
  'report-pages': benchReportPages,
  lag: benchLag,
  append: benchAppend,
  admin: benchAdmin,
  receivables: benchReceivables,
  'receivables-import': benchReceivablesImport,
  'receivables-log': benchReceivablesLog,
  reminders: benchReminders,
  table: benchConsoleTable,
  live: benchLive,
  history: benchHistory,
  streams: benchStreams,
  billing: benchBilling,
  'sign-in': benchSignIn,
  tracing: benchTracing,
  overload: benchOverload,
  site: benchSite,
  eventstoredb: benchEventStoreDb,
}

/**
 * Sections that do not run by default. Most need no generated log. They need much time, the built
 * product or another server.
 */
const onlyWhenNamed: ReadonlySet<string> = new Set([
  'rebuild-each',
  'report-pages',
  'verify',
  'copy',
  'import',
  'streams',
  'admin',
  'receivables',
  'receivables-import',
  'receivables-log',
  'reminders',
  'table',
  'live',
  'history',
  'billing',
  'sign-in',
  'tracing',
  'overload',
  'site',
  'eventstoredb',
])

/** Sections on request that read the generated log. */
const overLog: ReadonlySet<string> = new Set([
  'rebuild-each',
  'report-pages',
  'verify',
  'copy',
  'import',
])

/** A missed target of these sections fails the command. */
const mustMeetTargets: ReadonlySet<string> = new Set(['site'])

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    events: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '3' },
    keep: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
const unknown = positionals.filter((name) => !(name in sections))
const count = Number(options.events)
const rounds = Number(options.rounds)
const problem = problemOfOptions()
if (options.help || problem !== null) {
  if (problem !== null) print(`${problem}\n`)
  print(usage)
  process.exitCode = options.help ? 0 : 1
} else {
  await bench(
    positionals.length === 0
      ? Object.keys(sections).filter((name) => !onlyWhenNamed.has(name))
      : Object.keys(sections).filter((name) => positionals.includes(name)),
  )
}

function problemOfOptions(): string | null {
  if (unknown.length > 0) return `There is no section '${unknown.join("', '")}'.`
  if (!Number.isInteger(count) || count < 1_000) return '--events is a whole number from 1000.'
  if (!Number.isInteger(rounds) || rounds < 1) return '--rounds is a whole number from 1.'
  return null
}

async function bench(chosen: readonly string[]): Promise<void> {
  const directory = options.keep
    ? resolve(options.keep)
    : await mkdtemp(join(tmpdir(), 'billing-bench-'))
  await mkdir(directory, { recursive: true })
  const server = await startEmbeddedPostgres({
    dataDir: join(directory, 'postgres'),
    log: (line) => print(`${line}\n`),
  })
  let isOver = false
  const cleanUp = async () => {
    isOver = true
    await server.stop()
    if (!options.keep) {
      await rm(server.dataDir, { recursive: true, force: true })
      await rm(directory, { recursive: true, force: true })
    }
  }
  // The stop of the server breaks open connections. Any earlier error is a failure of the
  // benchmark.
  process.on('uncaughtException', (error) => {
    if (isOver) return
    process.stderr.write(`\n${error.stack ?? error.message}\n`)
    void cleanUp().finally(() => process.exit(1))
  })
  const interrupted = () => void cleanUp().finally(() => process.exit(130))
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted)
  try {
    await ensureDatabase(server.connectionString('postgres'), 'bench')
    const connectionString = server.connectionString('bench')
    if (!(await onPool(connectionString, isComplete))) {
      await onPool(server.connectionString('postgres'), (pool) => pool.query('DROP DATABASE bench'))
      await ensureDatabase(server.connectionString('postgres'), 'bench')
    }
    await migrate(connectionString)
    for (const line of await onPool(connectionString, (pool) => describeMachine(pool, directory)))
      print(`${line}\n`)
    const readsLog = chosen.some((name) => !onlyWhenNamed.has(name) || overLog.has(name))
    const events = readsLog
      ? await onPool(connectionString, (pool) => provideLog(connectionString, pool))
      : count
    const rows: Row[] = []
    for (const name of chosen) {
      print(`\n${name} …`)
      const began = performance.now()
      const found = (await sections[name]?.(connectionString, events, rounds)) ?? []
      rows.push(...found)
      const isMissed = found.some(({ target }) => target?.isMet === false)
      if (isMissed && mustMeetTargets.has(name)) process.exitCode = 1
      print(` ${((performance.now() - began) / 1_000).toFixed(0)} s\n${tableOf(found)}\n`)
    }
    if (chosen.length > 1) print(`\n${tableOf(rows)}\n`)
    await cleanUp()
  } catch (error) {
    process.stderr.write(
      `\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
    )
    await cleanUp()
    // Connections of the section that failed may still be open.
    process.exit(1)
  }
}

/** Generates the log if it does not exist. Returns its number of events. */
async function provideLog(connectionString: string, pool: pg.Pool): Promise<number> {
  if (!(await isComplete(pool))) await generate(connectionString)
  const { rows } = await pool.query<{
    events: string
    streams: string
    people: string
    size: string
  }>(
    `SELECT count(*) AS events, count(DISTINCT stream) AS streams, (SELECT count(*) FROM app.personal_key) AS people,
       pg_size_pretty(pg_total_relation_size('log.event')) AS size FROM log.event`,
  )
  const [log] = rows
  print(
    `Log         ${grouped(Number(log?.events))} events in ${grouped(Number(log?.streams))} streams of ${grouped(Number(log?.people))} people, ${log?.size}\n`,
  )
  return Number(log?.events)
}

async function generate(connectionString: string): Promise<void> {
  const began = performance.now()
  let shown = 0
  await writeLog(connectionString, count, (written) => {
    if (!process.stdout.isTTY || written - shown < count / 20) return
    shown = written
    const rate = (written * 1_000) / (performance.now() - began)
    print(
      `\rGenerating  ${grouped(written)} events, ${grouped(rate)}/s, ${grouped((count - written) / rate)} s left `,
    )
  })
  const seconds = (performance.now() - began) / 1_000
  print(
    `${process.stdout.isTTY ? '\r' : ''}Generated   in ${grouped(seconds)} s, ${grouped(count / seconds)} events/s${' '.repeat(20)}\n`,
  )
}

async function onPool<Result>(
  connectionString: string,
  work: (pool: pg.Pool) => Promise<Result>,
): Promise<Result> {
  const pool = new pg.Pool({ connectionString, max: 1 })
  try {
    return await work(pool)
  } finally {
    await pool.end()
  }
}

function grouped(value: number): string {
  return Math.round(value).toLocaleString('en-US')
}

function print(text: string): void {
  process.stdout.write(text)
}
