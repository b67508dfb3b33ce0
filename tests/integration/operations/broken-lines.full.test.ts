import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { sealLog } from '#services/event-store/audit/seal-log'
import { createCodec } from '#services/event-store/encryption/codec'
import { readEmailKeyHistory } from '#services/event-store/encryption/email-key-history'
import { readKeys } from '#services/event-store/encryption/key-table'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import { createPostgresEventLog } from '#services/event-store/postgres/postgres-event-log'
import { exportLog } from '#services/event-store/transfer/export-log'
import { importLog } from '#services/event-store/transfer/import-log'
import { withChecksum } from '#services/foundation/checksummed-lines'
import { systemClock } from '#services/foundation/clock'
import { StartupError } from '#services/foundation/startup-error'
import { checkBackup } from '#services/operations/backup/check-backup'
import { restoreBackup } from '#services/operations/backup/restore-backup'
import { takeBackup } from '#services/operations/backup/take-backup'
import { assertKnownKeys } from '#services/keys/assert-known-keys'
import { appendGenuine } from '../../support/data/append-genuine.ts'
import { accountOpened, profileCompleted } from '../../support/data/events.ts'
import { auditKey, macKey } from '../../support/event-store/mac-key.ts'
import { isFull } from '../../support/jest/is-full.ts'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'

const keys = {
  masterKey: Buffer.alloc(32, 1),
  emailHmacKey: Buffer.alloc(32, 2),
  portalKey: Buffer.alloc(32, 5),
  auditKey,
}
const userId = `usr_${'0'.repeat(24)}`
const takenAt = '2026-03-03T02:00:00.000Z'

let directory: Awaited<ReturnType<typeof temporaryDirectory>>
let source: TestDatabase
/** The lines of an export with keys and of a backup, without their trailers. */
let exported: readonly string[]
let backedUp: readonly string[]

beforeAll(async () => {
  directory = await temporaryDirectory()
  source = await createTestDatabase()
  const { pool } = source
  const eventLog = logIn(source)
  await assertKnownKeys(pool, keys)
  const codec = createCodec(createPersonalKeys(pool, keys.masterKey))
  await appendGenuine({ store: eventLog.store, codec, macKey }, [
    accountOpened(userId, 'person@example.com'),
    profileCompleted(userId, {}, { revision: 1 }),
  ])
  await sealLog(eventLog.store, pool, systemClock, { auditKey })
  backedUp = await linesOf(takeBackup({ pool, eventLog, keys, takenAt }))
  const emailKey = await readEmailKeyHistory(pool)
  exported = await linesOf(
    exportLog(eventLog.store, { exportedAt: takenAt, keys: readKeys(pool), emailKey }),
  )
  await eventLog.store.close()
}, 60_000)
afterAll(async () => {
  await source.drop()
  await directory.remove()
})

function logIn({ pool, connectionString }: TestDatabase) {
  return createPostgresEventLog({ connectionString, pool })
}

async function linesOf(pieces: AsyncIterable<string>): Promise<readonly string[]> {
  return (await text(Readable.from(pieces))).trimEnd().split('\n').slice(0, -1)
}

/** A file with these lines and their checksum, which an editor of the file can compute. */
async function fileOf(lines: readonly string[]): Promise<string> {
  const file = join(directory.path, 'broken.ndjson')
  await writeFile(file, await text(Readable.from(withChecksum(Readable.from([lines])))))
  return file
}

const otherLines = ['', 'no JSON', '5', 'null', '[]', '{}', '\u0000', '{"event":5}', '{"key":[]}']
const otherValues = [undefined, null, 2 ** 40, 'secret', 'a\u0000b', '\ud800', {}]

/** The lines, each time with another one in the place of `index`. */
function* editsOf(lines: readonly string[], index: number): Generator<readonly string[]> {
  const line = lines[index] ?? ''
  for (const other of otherLines) yield lines.with(index, other)
  for (const [at, path] of pathsOf(JSON.parse(line)).entries())
    for (const value of isFull ? otherValues : [otherValues[at % otherValues.length]])
      yield lines.with(index, JSON.stringify(edited(JSON.parse(line), path, value)))
}

function pathsOf(value: unknown): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, below]) => [
    [name],
    ...pathsOf(below).map((path) => [name, ...path]),
  ])
}

function edited(value: unknown, [name = '', ...below]: readonly string[], to: unknown): unknown {
  const members = value as Record<string, unknown>
  const changed = below.length === 0 ? to : edited(members[name], below, to)
  return Array.isArray(value)
    ? value.map((each: unknown, index) => (String(index) === name ? changed : each))
    : { ...members, [name]: changed }
}

/** The first line of each kind: `{"table":"app.seal"`. */
function kindsIn(lines: readonly string[]): readonly number[] {
  const kinds = lines.map((line) => /^\{"\w+":("[^"]*")?/.exec(line)?.[0])
  return [...new Set(kinds)].map((kind) => kinds.indexOf(kind))
}

/** Does `work` with each broken file. Returns what was no sentence. */
async function notSentences(
  lines: readonly string[],
  work: (file: string) => Promise<unknown>,
  kinds = /./,
): Promise<readonly string[]> {
  const found: string[] = []
  let refused = 0
  for (const index of kindsIn(lines).filter((each) => kinds.test(lines[each] ?? '')))
    for (const broken of editsOf(lines, index)) {
      const file = await fileOf(broken)
      const error = await work(file).catch((thrown: unknown) => thrown)
      if (error instanceof StartupError) refused += 1
      if (error instanceof Error && !(error instanceof StartupError))
        found.push(`${broken[index]?.slice(0, 300)}: ${error.name}: ${error.message}`)
    }
  expect(refused).toBeGreaterThan(50)
  return found
}

describe('a file with a broken line and a right checksum is refused with a sentence by', () => {
  it('the check of a backup', async () => {
    expect(await notSentences(backedUp, (file) => checkBackup(file, keys))).toEqual([])
  }, 120_000)

  it.each([
    ['with the MACs', auditKey],
    ['without the MACs', null],
  ])(
    'an import %s',
    async (_name, key) => {
      const found = await inEmptyDatabases(exported, (file, target, eventLog) =>
        importLog(file, { ...keys, auditKey: key, pool: target.pool, eventLog }),
      )
      expect(found).toEqual([])
    },
    120_000,
  )

  it('a restore without the check', async () => {
    const found = await inEmptyDatabases(
      backedUp,
      (file, target, eventLog) => restoreBackup(file, { keys, pool: target.pool, eventLog }),
      // A changed row of another table is restored: it needs another database.
      /^\{"(format|sequence|table":"app.personal_key)"/,
    )
    expect(found).toEqual([])
  }, 120_000)
})

/** As `notSentences`. A file that is accepted needs the next database. */
async function inEmptyDatabases(
  lines: readonly string[],
  work: (
    file: string,
    target: TestDatabase,
    eventLog: ReturnType<typeof logIn>,
  ) => Promise<unknown>,
  kinds?: RegExp,
): Promise<readonly string[]> {
  let target = await createTestDatabase()
  let eventLog = logIn(target)
  const found = await notSentences(
    lines,
    async (file) => {
      await work(file, target, eventLog)
      await eventLog.store.close()
      await target.drop()
      target = await createTestDatabase()
      eventLog = logIn(target)
    },
    kinds,
  )
  await eventLog.store.close()
  await target.drop()
  return found
}
