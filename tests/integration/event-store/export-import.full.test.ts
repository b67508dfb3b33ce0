import { spawn, spawnSync } from 'node:child_process'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { withChecksum } from '#services/foundation/checksummed-lines'
import { chain } from '#services/event-store/audit/hash-chain'
import { createCodec } from '#services/event-store/encryption/codec'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import type { EventStore, StoredEvent } from '#services/event-store/event-store'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { profile } from '../../support/data/events.ts'
import { someEvent } from '../../support/data/some-event.ts'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { runBilling, type BillingRun } from '../../support/product/run-billing.ts'
import { auditKey, macKey } from '../../support/event-store/mac-key.ts'
import { verifyStored } from '../../support/event-store/verify.ts'
import { until } from '../../support/machine/until.ts'

const masterKey = randomBytes(32)
// /dev/full exists only on Linux.
const onLinux =
  process.platform === 'linux'
    ? it
    : (name: string, _run: () => Promise<void>, _timeout?: number) =>
        it.skip(`${name} [only on Linux]`, () => undefined)
let directory: Awaited<ReturnType<typeof temporaryDirectory>>
let file: string
let source: System
let target: System

interface System {
  readonly database: TestDatabase
  readonly store: EventStore
  billing(settings: Record<string, string>, ...args: string[]): Promise<BillingRun>
  /**
   * Runs a line of sh in which `$billing` is `billing events`, such as `$billing export > file`.
   * Ends with the line's exit code.
   */
  sh(line: string): { readonly pid: number; readonly ended: Promise<BillingRun> }
}

beforeEach(async () => {
  directory = await temporaryDirectory()
  file = join(directory.path, 'log.ndjson')
  ;[source, target] = [await system(), await system()]
})
afterEach(async () => {
  for (const { store, database } of [source, target]) {
    await store.close()
    await database.drop()
  }
  await directory.remove()
})

async function system(): Promise<System> {
  const database = await createTestDatabase()
  const own = {
    DATA_DIR: directory.path,
    DATABASE_URL: database.connectionString,
    MASTER_KEY: masterKey.toString('hex'),
    AUDIT_KEY: auditKey.toString('hex'),
  }
  return {
    database,
    store: createPostgresEventStore({ connectionString: database.connectionString }),
    billing: (settings, ...args) => runBilling({ ...own, ...settings }, 'events', ...args),
    sh(line) {
      const { PATH, HOME, TMPDIR } = process.env
      const billing = `'${process.execPath}' scripts/billing.mjs events`
      const child = spawn('sh', ['-c', line.replace('$billing', billing)], {
        env: { PATH, HOME, TMPDIR, ...own },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      const closed = once(child, 'close').then(([code]) => code as number | null)
      const ended = Promise.all([closed, text(child.stdout), text(child.stderr)]).then(
        ([code, stdout, stderr]) => ({ code, stdout, stderr }),
      )
      return { pid: child.pid ?? 0, ended }
    },
  }
}

/** The files that exports left in the directory. */
const filesOfExports = async () =>
  (await readdir(directory.path)).filter((name) => name.startsWith('log')).sort()
const sha256 = async (path: string) =>
  createHash('sha256')
    .update(await readFile(path))
    .digest('hex')

const codecOf = ({ database }: System) => createCodec(createPersonalKeys(database.pool, masterKey))

/** Appends an event of the catalogue, encoded and chained. */
async function record(
  { store }: System,
  by: ReturnType<typeof codecOf>,
  stream: string,
  type: string,
  data: unknown,
): Promise<void> {
  const id = randomUUID()
  const last = (await store.readStream(stream)).at(-1)
  const encoded = await by.encode(stream, { id, type, data })
  const metadata = {
    ...someEvent().metadata,
    recordedAt: new Date(1.7e12 + Math.random() * 1e10).toISOString(),
  }
  await store.append(
    stream,
    last?.revision ?? 'no-stream',
    chain(stream, last, [{ id, type, data: encoded.data, metadata }], macKey),
  )
}

async function givenCustomers(count: number): Promise<void> {
  const codec = codecOf(source)
  for (let n = 0; n < count; n += 1) {
    await record(source, codec, `account-usr_${n}`, 'AccountOpened', {
      userId: `usr_${n}`,
      email: `dana${n}@birchwood.example`,
    })
    if (n > 0)
      await record(source, codec, `account-usr_${n - 1}`, 'CompanyProfileCompleted', {
        ...profile,
        termsVersion: '1',
      })
  }
}

async function all({ store }: System): Promise<readonly StoredEvent[]> {
  const pages: (readonly StoredEvent[])[] = []
  for await (const page of store.readAll(null)) pages.push(page)
  return pages.flat()
}

const withoutPosition = (events: readonly StoredEvent[]) =>
  events.map(({ id, type, stream, revision, data, metadata }) => ({
    id,
    type,
    stream,
    revision,
    data,
    metadata,
  }))

describe('an export with its keys', () => {
  it('restores the same log in an empty store: ids, order, revisions, times and decrypted personal fields', async () => {
    await givenCustomers(5)
    await createPersonalKeys(source.database.pool, masterKey).erase('usr_2')
    expect(await source.billing({}, 'export', '--with-keys', '--out', file)).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/Exporting: 9 events in/) as unknown,
    })
    const imported = await target.billing({}, 'import', file)
    expect(imported).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Imported 9 events\. Imported 5 personal keys\./) as unknown,
    })

    const [before, after] = [await all(source), await all(target)]
    expect(withoutPosition(after)).toEqual(withoutPosition(before))
    const [read, readInTarget] = [
      await codecOf(source).decode(before),
      await codecOf(target).decode(after),
    ]
    expect(readInTarget.map(({ data }) => data)).toEqual(read.map(({ data }) => data))
    expect(JSON.stringify(readInTarget)).toContain('dana1@birchwood.example')
    expect(JSON.stringify(readInTarget)).not.toContain('dana2@birchwood.example')

    await record(target, codecOf(target), 'signIn-usr_4', 'CodeRefused', { reason: 'wrong' })
    expect((await verifyStored(target.store, null)).problems).toEqual([])
  }, 60_000)

  it('is refused if MASTER_KEY differs, and nothing is imported', async () => {
    await givenCustomers(3)
    await source.billing({}, 'export', '--with-keys', '--out', file)
    const imported = await target.billing({ MASTER_KEY: 'ab'.repeat(32) }, 'import', file)
    expect(imported).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('wrapped by another MASTER_KEY') as unknown,
    })
    expect(await all(target)).toEqual([])
  }, 60_000)
})

describe('an export of a sandbox with its keys', () => {
  it('is refused without creating a DATA_DIR that lacks the secrets file, and is imported after the printed command copies that file', async () => {
    const [before, after] = [join(directory.path, 'before'), join(directory.path, 'after it')]
    const sandbox = (dataDir: string) => ({ DATA_DIR: dataDir, MASTER_KEY: '' })
    expect((await source.billing(sandbox(before), 'stats')).code).toBe(0)
    await createPersonalKeys(
      source.database.pool,
      Buffer.from(await keyIn(before), 'hex'),
    ).forWriting('usr_1')
    await source.billing(sandbox(before), 'export', '--with-keys', '--out', file)

    const refused = await target.billing(sandbox(after), 'import', file)
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr.split('\n')).toEqual([
      'Personal keys need the MASTER_KEY that wrapped them, and accounts are found by the EMAIL_HMAC_KEY. ' +
        'Set MASTER_KEY, EMAIL_HMAC_KEY to the values of the system that the data comes from, and run the command again. If a sandbox generated MASTER_KEY, EMAIL_HMAC_KEY there, copy its file instead:',
      `  mkdir -p '${after}' && cp <its DATA_DIR>/sandbox-secrets.json '${after}'/`,
      '',
    ])
    expect(existsSync(after)).toBe(false)
    expect(
      spawnSync('sh', [
        '-c',
        refused.stderr.split('\n')[1]?.replace('<its DATA_DIR>', before) ?? '',
      ]).status,
    ).toBe(0)
    expect((await target.billing(sandbox(after), 'import', file)).stdout).toMatch(
      /^Imported 0 events\. Imported 1 personal key\./,
    )
  }, 60_000)
})

async function keyIn(dataDir: string): Promise<string> {
  const { MASTER_KEY } = JSON.parse(
    await readFile(join(dataDir, 'sandbox-secrets.json'), 'utf8'),
  ) as { readonly MASTER_KEY: string }
  return MASTER_KEY
}

describe('an export without keys', () => {
  it('has no readable personal field, and an import reads personal fields as [erased], also in events that are written later', async () => {
    await givenCustomers(3)
    const exported = await source.billing({}, 'export')
    expect(exported.stdout).not.toMatch(/dana|Birchwood|Orchard|wrappedKey/)
    await writeFile(file, exported.stdout)
    expect((await target.billing({}, 'import', file)).stdout).toMatch(
      /no personal keys: personal fields read as \[erased\]/,
    )
    await record(target, codecOf(target), 'account-usr_1', 'ProfileUpdated', profile)
    const read = await codecOf(target).decode(await all(target))
    expect(read.map(({ type }) => type)).toEqual([
      'AccountOpened',
      'AccountOpened',
      'CompanyProfileCompleted',
      'AccountOpened',
      'CompanyProfileCompleted',
      'ProfileUpdated',
    ])
    for (const { data } of read) expect(JSON.stringify(data)).toContain('[erased]')
    expect(JSON.stringify(read)).not.toMatch(/dana|Birchwood/)
  }, 60_000)
})

describe('the file of an export', () => {
  it('is described on standard output: events, keys, size, checksum and next step', async () => {
    await givenCustomers(3)
    const exported = await source.billing({}, 'export', '--with-keys', '--out', `${file}.gz`)
    const bytes = (await readFile(`${file}.gz`)).length.toLocaleString('en-US')
    expect(exported.stdout).toBe(
      [
        `Exported 5 events to ${file}.gz (${bytes} bytes, SHA-256 ${await sha256(`${file}.gz`)}).`,
        'The export contains 3 personal keys, wrapped by MASTER_KEY. An import needs the same MASTER_KEY and EMAIL_HMAC_KEY.',
        `Next: with another DATABASE_URL or DATA_DIR, 'billing events import ${file}.gz'.`,
        '',
      ].join('\n'),
    )
    expect((await source.billing({}, 'export', '--out', file)).stdout).toContain(
      '\nThe export contains no personal keys: an import reads personal fields as [erased]. --with-keys adds the keys.\n',
    )
  }, 60_000)

  it('is described on standard error if the export goes to standard output', async () => {
    await givenCustomers(3)
    const { code, stdout, stderr } = await source.billing({}, 'export')
    expect(code).toBe(0)
    expect(
      stdout
        .trim()
        .split('\n')
        .map((line) => Object.keys(JSON.parse(line) as object)[0]),
    ).toEqual(['format', 'event', 'event', 'event', 'event', 'event', 'trailer'])
    expect(stderr).toMatch(
      /\nExported 5 events to standard output \([\d,]+ bytes, SHA-256 [0-9a-f]{64}\)\.\nThe export contains no personal keys/,
    )
  }, 60_000)

  it('replaces an existing file only with --force', async () => {
    await givenCustomers(2)
    await writeFile(file, 'the export of yesterday')
    expect(await source.billing({}, 'export', '--out', file)).toEqual({
      code: 1,
      stdout: '',
      stderr: `${file} already exists. Name another file, or replace this file with --force.\n`,
    })
    expect(await readFile(file, 'utf8')).toBe('the export of yesterday')
    expect(await source.billing({}, 'export', '--force', '--out', file)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Exported 3 events/) as unknown,
    })
    expect((await target.billing({}, 'import', file)).code).toBe(0)
    expect(await filesOfExports()).toEqual(['log.ndjson'])
  }, 60_000)

  it('that cannot be written causes one error message and leaves no partial file', async () => {
    await givenCustomers(3)
    const nowhere = join(directory.path, 'nowhere', 'log.ndjson')
    expect(await source.billing({}, 'export', '--out', nowhere)).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(`${nowhere} cannot be written (ENOENT)`) as unknown,
    })
    // No file of this process may be larger than one block. The write then fails as on a full disk.
    const full = await source.sh(`ulimit -f 1; exec $billing export --out '${file}'`).ended
    expect(full).toMatchObject({ code: 1, stdout: '' })
    expect(full.stderr.trim().split('\n').slice(2)).toEqual([
      `${file} cannot be written (EFBIG), and nothing was written. Free some space, or name another file.`,
    ])
    expect(await filesOfExports()).toEqual([])
  }, 60_000)

  onLinux(
    'that is standard output causes one error message if it cannot be written or is closed early',
    async () => {
      await givenCustomers(3)
      const full = await source.sh('exec $billing export > /dev/full').ended
      expect(full.code).toBe(1)
      expect(full.stderr.trim().split('\n').slice(2)).toEqual([
        'Standard output cannot be written (ENOSPC): the output is incomplete.',
      ])
      const closed = await source.sh('{ $billing export; echo "exit code $?" >&2; } | true').ended
      expect(closed.stderr.trim().split('\n').slice(2)).toEqual([
        'Standard output cannot be written (EPIPE): the output is incomplete.',
        'exit code 1',
      ])
    },
    60_000,
  )

  it('is removed if Ctrl-C stops the export', async () => {
    await givenCustomers(3)
    const holder = await source.database.pool.connect()
    try {
      // The export has written the events, and waits for the locked table of keys.
      await holder.query('BEGIN; LOCK TABLE app.personal_key')
      const { pid, ended } = source.sh(`exec $billing export --with-keys --out '${file}'`)
      await until(async () => (await filesOfExports()).length > 0)
      process.kill(pid, 'SIGINT')
      await holder.query('ROLLBACK')
      const { code, stdout, stderr } = await ended
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toMatch(/\nStopped: .*log\.ndjson was not written\.\n$/)
      expect(await filesOfExports()).toEqual([])
    } finally {
      holder.release(true)
    }
  }, 60_000)
})

describe('an import', () => {
  it('is refused if the log has events', async () => {
    await givenCustomers(2)
    await source.billing({}, 'export', '--with-keys', '--out', `${file}.gz`)
    expect(await source.billing({}, 'import', `${file}.gz`)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('has events already') as unknown,
    })
    expect(await all(source)).toHaveLength(3)
  }, 60_000)

  it('is refused if its file was changed or truncated, or is no export', async () => {
    await givenCustomers(2)
    await source.billing({}, 'export', '--with-keys', '--out', file)
    const text = await readFile(file, 'utf8')
    const lines = text.split('\n')
    const broken: readonly [string, RegExp][] = [
      [text.replace('"revision":1', '"revision":2'), /does not match the checksum/],
      [lines.toSpliced(2, 1).join('\n'), /does not match the checksum/],
      [lines.slice(0, -2).join('\n'), /is incomplete/],
      [text.slice(0, text.length / 2), /is incomplete/],
      ['', /is incomplete/],
      ['a\nb\n', /is not an export that this release can read/],
    ]
    for (const [content, message] of broken) {
      await writeFile(file, content)
      expect(await target.billing({}, 'import', file)).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(message) as unknown,
      })
    }
    await writeFile(`${file}.gz`, 'not packed')
    expect((await target.billing({}, 'import', `${file}.gz`)).stderr).toMatch(
      /cannot be decompressed/,
    )
    expect((await target.billing({}, 'import', `${file}.missing`)).stderr).toMatch(
      /cannot be read \(ENOENT\)/,
    )
    expect(await all(target)).toEqual([])
  }, 120_000)

  it('is refused if it has an event twice, although its checksum is right', async () => {
    await givenCustomers(3)
    await source.billing({}, 'export', '--with-keys', '--out', file)
    const lines = (await readFile(file, 'utf8')).split('\n').slice(0, -2)
    const event = lines.find((line) => line.startsWith('{"event":')) ?? ''
    const changed = withChecksum(
      (async function* () {
        yield [...lines, event]
      })(),
    )
    await writeFile(file, changed)
    const { code, stderr } = await target.billing({}, 'import', file)
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/was changed after it was written, .*\naccount-usr_0: /),
    ])
    expect(await all(target)).toEqual([])
  }, 60_000)

  it('that fails adds no event', async () => {
    await givenCustomers(3)
    await source.billing({}, 'export', '--with-keys', '--out', file)
    await target.database.pool.query(
      `INSERT INTO app.personal_key VALUES ('usr_1', 'x', now(), NULL, 'a')`,
    )
    expect((await target.billing({}, 'import', file)).stderr).toMatch(/already has personal keys/)
    expect(await all(target)).toEqual([])
  }, 60_000)
})
