import { once } from 'node:events'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { parse } from 'csv-parse/sync'
import { sharedSecrets } from '../../support/data/real-settings.ts'
import { macKeyOf } from '#services/event-store/audit/audit-keys'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import type { EventStore } from '#services/event-store/event-store'
import { appendFinanceEvents, financeEvents } from '../../support/data/finance-log.ts'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { billingInOneProcess } from '../../support/product/billing-in-one-process.ts'
import { startBilling } from '../../support/product/run-billing.ts'

const runBilling = billingInOneProcess()

let database: TestDatabase
let store: EventStore
let directory: Awaited<ReturnType<typeof temporaryDirectory>>
const logInDatabase = { EVENTSTORE_URL: undefined, REPORTING_TIME_ZONE: 'Europe/Berlin' }
const settings = () => ({
  ...logInDatabase,
  ...sharedSecrets,
  DATA_DIR: directory.path,
  DATABASE_URL: database.connectionString,
})
const report = (...args: readonly string[]) => runBilling(settings(), 'report', ...args)
const at = (name: string) => join(directory.path, name)

beforeAll(async () => {
  directory = await temporaryDirectory()
  database = await createTestDatabase()
  store = createPostgresEventStore({ connectionString: database.connectionString })
  const macKey = macKeyOf(Buffer.from(sharedSecrets.AUDIT_KEY, 'hex'))
  await appendFinanceEvents(store, financeEvents(), macKey)
}, 120_000)
afterAll(async () => {
  await store.close()
  await database.drop()
  await directory.remove()
})

describe('billing report', () => {
  it('writes the same figures as JSON, CSV and a table', async () => {
    const [json, csv, table] = await Promise.all([
      report('revenue', '--format', 'json', '--as-of', '2027-03-31', '--currency', 'eur'),
      report(
        'revenue',
        '--format',
        'csv',
        '--as-of',
        '2027-03-31',
        '--currency',
        'eur',
        '--out',
        at('revenue.csv'),
      ),
      report('revenue', '--as-of', '2027-03-31', '--currency', 'eur'),
    ])
    for (const { code, stderr } of [json, csv, table])
      expect({ code, stderr }).toMatchObject({ code: 0 })
    const { rows, ...rest } = JSON.parse(json.stdout) as { rows: Record<string, string | null>[] }
    expect(rest).toEqual({
      report: 'revenue',
      parameters: {
        from: null,
        to: null,
        as_of: '2027-03-31',
        known_at: null,
        currency: 'eur',
        time_zone: 'Europe/Berlin',
      },
      position: await store.lastPosition(),
    })
    expect(rows.length).toBeGreaterThan(10)

    expect(csv.stdout).toBe('')
    expect(csv.stderr).toMatch(/Wrote the report revenue to .*revenue\.csv \([\d,]+ bytes\)\.\n$/)
    const cells = parse(await readFile(at('revenue.csv')), { columns: true }) as object[]
    expect(cells).toEqual(
      rows.map((row) =>
        Object.fromEntries(Object.entries(row).map(([column, value]) => [column, value ?? ''])),
      ),
    )
    expect(table.stdout).toMatch(
      /^Revenue\nas_of 2027-03-31, currency eur, time_zone Europe\/Berlin/,
    )
    expect(table.stdout.trimEnd().split('\n')).toHaveLength(rows.length + 4)
  }, 120_000)

  it('ends quietly if the reader of its output ends first', async () => {
    const child = startBilling(settings(), 'report', 'journal', '--format', 'csv')
    let errors = ''
    child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
    child.stdout.once('data', () => child.stdout.destroy())
    const [code] = (await once(child, 'close')) as [number | null]
    expect(code).toBe(0)
    expect(
      errors
        .trim()
        .split('\n')
        .filter((line) => !line.startsWith('Computing')),
    ).toEqual([])
  }, 60_000)
})

describe('billing report with a wrong argument', () => {
  /** `problem` is the only line on standard error, apart from the hint of a wrong option. */
  const wrong: readonly (readonly [string, readonly string[], string | RegExp])[] = [
    ['an unknown report', ['profit'], /^There is no report 'profit'\. Use revenue, mrr, .*\.$/],
    ['a wrong month', ['mrr', '--from', '2026-13'], /^--from 2026-13 is no month\./],
    ['a wrong currency', ['mrr', '--currency', 'zzz'], /^--currency zzz is no ISO 4217 currency\./],
    [
      'months in the wrong order',
      ['mrr', '--from', '2026-05', '--to', '2026-04'],
      /^--from 2026-05 is after --to 2026-04\./,
    ],
    [
      'an option without a meaning',
      ['journal', '--explain'],
      /^Each row of the report journal names its event/,
    ],
    ['a file that exists', ['mrr', '--out', 'FILE'], /mine\.csv already exists\./],
    ['a directory as the file', ['mrr', '--out', 'DIRECTORY', '--force'], /is not a regular file/],
    [
      'a file in a missing directory',
      ['mrr', '--out', 'NOWHERE'],
      /cannot be written \(ENOENT\), and nothing was written\. Create its directory/,
    ],
    ['an unknown option', ['mrr', '--month', '2026-03'], /^error: unknown option '--month'/],
    [
      'an unknown format',
      ['mrr', '--format', 'pdf'],
      /^error: option '--format <format>' argument 'pdf' is invalid\./,
    ],
    ['no report', [], /^error: missing required argument 'name'/],
  ]
  it.each(wrong)(
    'refuses %s in one sentence with exit code 2',
    async (_what, args, problem) => {
      await mkdir(at('reports'), { recursive: true })
      await writeFile(at('mine.csv'), 'mine')
      const before = await readdir(directory.path)
      const paths: Readonly<Record<string, string>> = {
        FILE: at('mine.csv'),
        DIRECTORY: at('reports'),
        NOWHERE: at('missing/report.csv'),
      }
      const { code, stdout, stderr } = await report(...args.map((each) => paths[each] ?? each))
      const [line = '', ...others] = stderr
        .trim()
        .split('\n')
        .filter((each) => !each.startsWith('Computing'))
      expect(line).toMatch(problem)
      expect(
        others.filter((each) => each !== '(add --help to print arguments and options)'),
      ).toEqual([])
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(await readdir(directory.path)).toEqual(before)
      expect(await readFile(at('mine.csv'), 'utf8')).toBe('mine')
    },
    60_000,
  )
})
