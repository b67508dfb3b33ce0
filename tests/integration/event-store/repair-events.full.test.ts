import { createHash, randomBytes } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { macKeyOf } from '#services/event-store/audit/audit-keys'
import { createCodec } from '#services/event-store/encryption/codec'
import { readKeys } from '#services/event-store/encryption/key-table'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import { createPostgresEventLog } from '#services/event-store/postgres/postgres-event-log'
import { exportLog } from '#services/event-store/transfer/export-log'
import { importLog, type ImportOptions } from '#services/event-store/transfer/import-log'
import type { EventStore } from '#services/event-store/event-store'
import { appendGenuine } from '../../support/data/append-genuine.ts'
import { accountOpened, profileCompleted } from '../../support/data/events.ts'
import { realSettings, sharedSecrets } from '../../support/data/real-settings.ts'
import { tamper } from '../../support/event-store/chained-log.ts'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { billingInOneProcess } from '../../support/product/billing-in-one-process.ts'

const runBilling = billingInOneProcess()

const masterKey = Buffer.from(sharedSecrets.MASTER_KEY, 'hex')
const auditKey = Buffer.from(sharedSecrets.AUDIT_KEY, 'hex')
const users = ['1', '2', '3'].map((digit) => `usr_${digit.repeat(24)}`)
const [first = '', second = ''] = users

let database: TestDatabase
let directory: Awaited<ReturnType<typeof temporaryDirectory>>
let eventLog: ReturnType<typeof createPostgresEventLog>
/** The file of an export with keys. */
let intact: string
beforeAll(async () => {
  database = await createTestDatabase()
  directory = await temporaryDirectory()
  const { pool, connectionString } = database
  eventLog = createPostgresEventLog({ connectionString, pool })
  const codec = createCodec(createPersonalKeys(pool, masterKey))
  for (const userId of users)
    await appendGenuine({ store: eventLog.store, codec, macKey: macKeyOf(auditKey) }, [
      accountOpened(userId, `${userId}@example.com`),
      profileCompleted(userId),
    ])
  intact = at('intact.ndjson')
  const exported = exportLog(eventLog.store, {
    exportedAt: '2026-03-03T10:00:00.000Z',
    keys: readKeys(pool),
  })
  await writeFile(intact, exported)
}, 60_000)
afterAll(async () => {
  await eventLog.store.close()
  await database.drop()
  await directory.remove()
})

const at = (name: string) => join(directory.path, name)
const billing = (...args: readonly string[]) =>
  runBilling(
    { ...realSettings, DATA_DIR: directory.path, DATABASE_URL: database.connectionString },
    ...args,
  )

async function eventsOf(store: EventStore): Promise<readonly unknown[]> {
  const events: unknown[] = []
  for await (const page of store.readAll(null)) events.push(...page)
  return events
}

/** Writes a changed export with the checksum of its content. */
async function forged(name: string, change: (lines: string[]) => readonly string[]) {
  const lines = change((await readFile(intact, 'utf8')).trimEnd().split('\n').slice(0, -1))
  const text = `${lines.join('\n')}\n`
  const sha256 = createHash('sha256').update(text).digest('hex')
  await writeFile(
    at(name),
    `${text}${JSON.stringify({ trailer: { lines: lines.length, sha256 } })}\n`,
  )
  return at(name)
}

/** Imports into an empty database. Returns its events, or the refusal. */
async function imported(file: string, options: Partial<ImportOptions> = {}) {
  const target = await createTestDatabase()
  const { pool, connectionString } = target
  const log = createPostgresEventLog({ connectionString, pool })
  try {
    const error = await importLog(file, {
      pool,
      eventLog: log,
      masterKey,
      emailHmacKey: masterKey,
      auditKey,
      ...options,
    }).then(
      () => null,
      (thrown: unknown) => thrown,
    )
    return { error, events: (await eventsOf(log.store)).length }
  } finally {
    await log.store.close()
    await target.drop()
  }
}

const change =
  (at: number, from: string | RegExp, to: string) =>
  (lines: string[]): readonly string[] =>
    lines.map((line, index) => (index === at ? line.replace(from, to) : line))

it.each<[string, (lines: string[]) => readonly string[], RegExp]>([
  [
    'an event with another address',
    change(2, /"companyName":/, '"forged":1,"companyName":'),
    /account-usr_1+: Event \S+ \(CompanyProfileCompleted\) at revision 1/,
  ],
  [
    'an event with another MAC',
    change(4, /"mac":"[0-9a-f]{4}/, '"mac":"0000'),
    /account-usr_2+: Event \S+ \(CompanyProfileCompleted\) at revision 1 has no MAC/,
  ],
  [
    'a removed first event',
    (lines) => lines.filter((_, index) => index !== 3),
    /account-usr_2+: The event at revision 0 was removed/,
  ],
  [
    'an invented event',
    (lines) => [
      ...lines.slice(0, 3),
      (lines[2] ?? '').replace('"revision":1', '"revision":2'),
      ...lines.slice(3),
    ],
    /account-usr_1+: Event \S+ \(CompanyProfileCompleted\) at revision 1 was inserted/,
  ],
])(
  'an import refuses a file with %s and the right checksum, and names it',
  async (what, forge, named) => {
    const { error, events } = await imported(await forged(`${what}.ndjson`, forge))
    expect(error).toMatchObject({ message: expect.stringMatching(named) as unknown })
    expect(error).toMatchObject({
      message: expect.stringContaining('Nothing was imported.') as unknown,
    })
    expect(events).toBe(0)
  },
)

it('an import of another AUDIT_KEY is refused, unless only the chains are to be checked', async () => {
  const refused = await imported(intact, { auditKey: randomBytes(32) })
  expect(refused.error).toMatchObject({
    message: expect.stringMatching(/^No event in .* has a MAC of the AUDIT_KEY/) as unknown,
  })
  expect(await imported(intact, { auditKey: null })).toEqual({ error: null, events: 6 })
  const removed = await forged('chain.ndjson', (lines) => lines.filter((_, index) => index !== 3))
  expect((await imported(removed, { auditKey: null })).error).toMatchObject({
    message: expect.stringContaining('Nothing was imported.') as unknown,
  })
  expect(await imported(intact)).toEqual({ error: null, events: 6 })
})

it('damaged events are repaired from a backup, in the log and in a file, and by nothing else', async () => {
  const before = await eventsOf(eventLog.store)
  const backup = at('backup')
  expect(await billing('backup', backup)).toMatchObject({ code: 0 })
  for (const [set, stream, revision] of [
    [`data = '{"damaged": true}'`, first, 0],
    ["metadata = 'null'", first, 1],
    ["type = 'Unknown', id = gen_random_uuid()", second, 0],
  ])
    await tamper(
      database.pool,
      `UPDATE log.event SET ${set} WHERE stream = 'account-${stream}' AND revision = ${revision}`,
    )
  const damagedFile = at('damaged.ndjson')
  expect(await billing('events', 'export', '--with-keys', '--out', damagedFile)).toMatchObject({
    code: 0,
  })

  // An export that was changed after the export has no original of the changed event.
  const changedBackup = await forged(
    'changed.ndjson',
    change(1, /"mac":"[0-9a-f]{4}/, '"mac":"0000'),
  )
  const partly = await billing('events', 'repair', changedBackup)
  expect(partly).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(
      /^Repaired 1 event of the log\.\nNot repaired: event \S+ \(AccountOpened, revision 0 of 'account-usr_1+'\): the backup has no event with a genuine MAC at this place\.\nNot repaired: event \S+ \(CompanyProfileCompleted, revision 1 of 'account-usr_1+'\): it does not continue revision 0 of the log\.\n/,
    ) as unknown,
  })
  expect(await billing('events', 'repair', backup)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Repaired 2 events of the log\.\n/) as unknown,
  })
  expect(await eventsOf(eventLog.store)).toEqual(before)
  expect(await billing('events', 'verify')).toMatchObject({ code: 0 })
  await expect(database.pool.query('DELETE FROM log.event')).rejects.toThrow('only grows')

  expect((await imported(damagedFile)).error).toMatchObject({
    message: expect.stringContaining("'billing events repair <backup> --in ") as unknown,
  })
  const repaired = at('repaired.ndjson')
  expect(
    await billing('events', 'repair', backup, '--in', damagedFile, '--out', repaired),
  ).toMatchObject({ code: 0, stdout: `${repaired} is written, with 3 repaired events.\n` })
  expect(await imported(repaired)).toEqual({ error: null, events: 6 })
}, 300_000)
