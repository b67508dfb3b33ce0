import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { sealLog } from '#services/event-store/audit/seal-log'
import { createCodec } from '#services/event-store/encryption/codec'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import { createPostgresEventLog } from '#services/event-store/postgres/postgres-event-log'
import { withChecksum } from '#services/foundation/checksummed-lines'
import { systemClock } from '#services/foundation/clock'
import { StartupError } from '#services/foundation/startup-error'
import { checkBackup } from '#services/operations/backup/check-backup'
import { restoreBackup } from '#services/operations/backup/restore-backup'
import { takeBackup } from '#services/operations/backup/take-backup'
import { appendGenuine } from '../../support/data/append-genuine.ts'
import { accountOpened, profileCompleted, recorded } from '../../support/data/events.ts'
import { auditKey, macKey } from '../../support/event-store/mac-key.ts'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'

const keys = {
  masterKey: Buffer.alloc(32, 1),
  emailHmacKey: Buffer.alloc(32, 2),
  portalKey: Buffer.alloc(32, 5),
  auditKey,
}
const userId = (n: number) => `usr_${String(n).padStart(24, '0')}`
/** The third of the persons is erased. */
const erased = userId(2)

let database: TestDatabase
let directory: Awaited<ReturnType<typeof temporaryDirectory>>
/** The lines of a backup, without the trailer. */
let lines: readonly string[]

beforeAll(async () => {
  directory = await temporaryDirectory()
  database = await createTestDatabase()
  const { pool, connectionString } = database
  const eventLog = createPostgresEventLog({ connectionString, pool })
  const personalKeys = createPersonalKeys(pool, keys.masterKey)
  const log = { store: eventLog.store, codec: createCodec(personalKeys), macKey }
  for (const n of [0, 1, 2])
    await appendGenuine(log, [
      accountOpened(userId(n), `person${n}@example.com`),
      profileCompleted(userId(n), {}, { revision: 1 }),
    ])
  await sealLog(eventLog.store, pool, systemClock, { auditKey })
  await appendGenuine(log, [
    recorded(`account-${erased}`, { type: 'PersonalDataErased', data: {} }, { revision: 2 }),
  ])
  await personalKeys.erase(erased)
  await sealLog(eventLog.store, pool, systemClock, { auditKey })
  const parts = { pool, eventLog, keys, takenAt: '2026-03-03T02:00:00.000Z' }
  const text: string[] = []
  for await (const part of takeBackup(parts)) text.push(part)
  lines = text.join('').trimEnd().split('\n').slice(0, -1)
  await eventLog.store.close()
}, 60_000)
afterAll(async () => {
  await database.drop()
  await directory.remove()
})

/** A backup with other lines and the checksum of these lines, as a forger makes it. */
async function backupOf(changed: readonly string[]): Promise<string> {
  async function* pages() {
    yield changed
  }
  const text: string[] = []
  for await (const part of withChecksum(pages())) text.push(part)
  const file = join(directory.path, 'changed.ndjson.gz')
  await writeFile(file, gzipSync(text.join('')))
  return file
}

const isKeyOf = (subject: string) => (line: string) =>
  line.startsWith('{"table":"app.personal_key"') && line.includes(`"subject":"${subject}"`)
const isRow =
  (table: string, text = '') =>
  (line: string) =>
    line.startsWith(`{"table":"${table}"`) && line.includes(text)

const without = (is: (line: string) => boolean) => lines.filter((line) => !is(line))
const change = (is: (line: string) => boolean, to: (line: string) => string) =>
  lines.map((line) => (is(line) ? to(line) : line))

/** The index of the first line that `is`. */
function find(is: (line: string) => boolean): number {
  const index = lines.findIndex(is)
  if (index === -1) throw new Error('The backup has no such line.')
  return index
}

function exchanged(a: number, b: number): readonly string[] {
  return lines.with(a, lines[b] ?? '').with(b, lines[a] ?? '')
}

const ofPerson = (n: number, revision: number) =>
  isRow('log.event', `"stream":"account-${userId(n)}","revision":${revision},`)

it('a backup that nothing changed is accepted, with its counts', async () => {
  expect(await checkBackup(await backupOf(lines), keys)).toMatchObject({
    events: 7,
    seals: 2,
    keys: 2,
    erased: 1,
  })
})

const changes: Readonly<Record<string, readonly [() => readonly string[], string | RegExp]>> = {
  'a personal key that was removed': [
    () => without(isKeyOf(userId(1))),
    `The personal key of '${userId(1)}' is missing, and the log of the backup has no erasure of '${userId(1)}'.`,
  ],
  'a personal key that was set to null': [
    () =>
      change(isKeyOf(userId(1)), (line) => {
        const parsed = JSON.parse(line) as { row: object }
        const nothing = { wrapped_key: null, wrapped_by: null, erased_at: '2026-03-03T00:00:00Z' }
        return JSON.stringify({ ...parsed, row: { ...parsed.row, ...nothing } })
      }),
    `The personal key of '${userId(1)}' was destroyed, and the log of the backup has no erasure`,
  ],
  'a personal key of another person': [
    () =>
      change(isKeyOf(userId(1)), () =>
        (lines.find(isKeyOf(userId(0))) ?? '').replace(userId(0), userId(1)),
      ),
    `The key of '${userId(1)}' cannot be unwrapped`,
  ],
  'the erasure of an erased person, removed from the end of the log': [
    () => without(ofPerson(2, 2)),
    `The personal key of '${erased}' was destroyed, and the log of the backup has no erasure`,
  ],
  'an event that was removed from the middle of a stream': [
    () => without(ofPerson(1, 0)),
    `account-${userId(1)}: The event at revision 0 was removed`,
  ],
  'a stream that was removed with its key': [
    () => without((line) => line.includes(userId(1))),
    /Seal 1: /,
  ],
  'events in another order': [
    () => exchanged(find(ofPerson(1, 0)), find(ofPerson(1, 1))),
    `account-${userId(1)}: `,
  ],
  'a changed event': [
    () =>
      change(ofPerson(0, 1), (line) =>
        line.replace('"type":"CompanyProfileCompleted"', '"type":"CompanyProfileChanged"'),
      ),
    `account-${userId(0)}: Event `,
  ],
  'a seal that was removed': [() => without(isRow('app.seal', '"sequence":1,')), /Seal [12]: /],
  'a changed seal': [
    () =>
      change(isRow('app.seal', '"sequence":2,'), (line) =>
        line.replace('"events":7', '"events":6'),
      ),
    /Seal 2: /,
  ],
  'sealed heads that were removed': [() => without(isRow('app.sealed_head')), /account-|Seal /],
}

describe('the check of a backup names', () => {
  it.each(Object.entries(changes))('%s', async (_name, [changed, sentence]) => {
    const error = await checkBackup(await backupOf(changed()), keys).catch(
      (found: unknown) => found,
    )
    expect(error).toBeInstanceOf(StartupError)
    const { message } = error as StartupError
    if (typeof sentence === 'string') expect(message).toContain(sentence)
    else expect(message).toMatch(sentence)
  })

  it('nothing about rows in another order', async () => {
    const [header = '', ...rows] = lines
    const events = rows.filter(isRow('log.event'))
    const others = rows.filter((line) => !isRow('log.event')(line))
    const reordered = [header, ...events, ...others.toReversed()]
    expect(await checkBackup(await backupOf(reordered), keys)).toMatchObject({ events: 7 })
  })
})

describe('a restore of a row that the database refuses', () => {
  const refusedRows: Readonly<Record<string, readonly [(line: string) => string, RegExp]>> = {
    'breaks a constraint': [
      (line) => line.replace(/"wrapped_by":"[^"]*"/, '"wrapped_by":null'),
      /it breaks the rule personal_key_check/,
    ],
    'lacks a value': [
      (line) => line.replace(/"created_at":"[^"]*"/, '"created_at":null'),
      /its column created_at has no value that is allowed/,
    ],
    'has a value of another type': [
      (line) => line.replace(/"created_at":"[^"]*"/, '"created_at":"secret"'),
      /SQLSTATE 22007/,
    ],
    'is no object': [() => '{"table":"app.personal_key","row":5}', /SQLSTATE 22023/],
  }

  it.each(Object.entries(refusedRows))(
    'which %s, names table and line, and restores nothing',
    async (_name, [changed, reason]) => {
      const index = find(isKeyOf(userId(1)))
      const file = await backupOf(lines.with(index, changed(lines[index] ?? '')))
      const target = await createTestDatabase()
      const { pool, connectionString } = target
      const eventLog = createPostgresEventLog({ connectionString, pool })
      const error = await restoreBackup(file, { pool, eventLog, keys }).catch(
        (found: unknown) => found,
      )
      expect(error).toBeInstanceOf(StartupError)
      const { message } = error as StartupError
      expect(message).toContain(
        `The database refuses line ${index + 1} of ${file}, a row of app.personal_key:`,
      )
      expect(message).toMatch(reason)
      expect(message).not.toContain('secret')
      expect((await pool.query('SELECT 1 FROM app.seal')).rowCount).toBe(0)
      await eventLog.store.close()
      await target.drop()
    },
  )

  it('is a sentence, too, for a sequence that does not exist', async () => {
    const file = await backupOf([...lines, '{"sequence":"app.nothing","lastValue":"1"}'])
    const target = await createTestDatabase()
    const { pool, connectionString } = target
    const eventLog = createPostgresEventLog({ connectionString, pool })
    await expect(restoreBackup(file, { pool, eventLog, keys })).rejects.toThrow(
      /has a value of the sequence 'app\.nothing' that this release cannot set/,
    )
    await eventLog.store.close()
    await target.drop()
  })
})
