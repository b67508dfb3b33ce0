import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import type { EventStore } from '#services/event-store/event-store'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { appendChained, tamper } from '../../support/event-store/chained-log.ts'
import { auditKey } from '../../support/event-store/mac-key.ts'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { billingInOneProcess } from '../../support/product/billing-in-one-process.ts'

const runBilling = billingInOneProcess()

let database: TestDatabase
let directory: Awaited<ReturnType<typeof temporaryDirectory>>
let store: EventStore
beforeEach(async () => {
  ;[database, directory] = await Promise.all([createTestDatabase(), temporaryDirectory()])
  store = createPostgresEventStore({ connectionString: database.connectionString })
  await mkdir(at('seals'))
  await appendChained(store, 'test-a', 2)
})
afterEach(async () => {
  await store.close()
  await database.drop()
  await directory.remove()
})

const at = (name: string) => join(directory.path, name)

/** `billing events` with the settings of a place for seals. */
function events(places: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const settings = {
    DATA_DIR: directory.path,
    DATABASE_URL: database.connectionString,
    AUDIT_KEY: auditKey.toString('hex'),
    ...places,
  }
  return runBilling(settings, 'events', ...args)
}

async function sealsStored(): Promise<number> {
  return (await database.pool.query('SELECT 1 FROM app.seal')).rowCount ?? 0
}

/** Cuts the log back to its state at the first seal, with all later rows about seals. */
async function cutBack(): Promise<void> {
  await tamper(database.pool, `DELETE FROM log.event WHERE revision >= 2`)
  for (const table of ['seal', 'sealed_head'])
    await database.pool.query(`ALTER TABLE app.${table} DISABLE TRIGGER only_grows`)
  for (const table of ['seal', 'sealed_head', 'published_seal'])
    await database.pool.query(`DELETE FROM app.${table} WHERE sequence > 1`)
}

describe('a log that was cut back together with its seals', () => {
  it('is intact by its database, is found by the published seals, and is not sealed', async () => {
    const published = { SEAL_DIRECTORY: at('seals') }
    expect(await events(published, 'seal')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(
        `Published 1 seal to the directory ${at('seals')}; the last one is seal 1.`,
      ) as unknown,
    })
    await appendChained(store, 'test-a', 3)
    expect((await events(published, 'seal')).code).toBe(0)
    expect(await readdir(at('seals'))).toEqual(['seal-00000001.json', 'seal-00000002.json'])
    expect((await events(published, 'verify')).stdout).toContain('the state of all 2 seals')

    await cutBack()
    expect(await events({}, 'verify')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('The log has the state of its seal; 0 events') as unknown,
    })
    const found = await events(published, 'verify')
    expect(found).toMatchObject({ code: 1 })
    expect(found.stdout).toMatch(/^Seal 2: The seal was removed from the database\.$/m)
    expect(found.stdout).toMatch(/^Seal 2: .*covers 5 events.*The log has 2 events\.$/m)

    const refused = await events(published, 'seal')
    expect(refused).toMatchObject({ code: 1 })
    expect(refused.stdout).toContain('Nothing was sealed')
    expect(await sealsStored()).toBe(1)
    expect(await readdir(at('seals'))).toHaveLength(2)
  }, 180_000)
})

describe('a directory with published seals', () => {
  const published = () => ({ SEAL_DIRECTORY: at('seals') })
  const file = () => at('seals/seal-00000001.json')
  beforeEach(async () => {
    expect((await events({}, 'seal')).code).toBe(0)
  })

  it('gets earlier seals by events publish; until then events verify names them', async () => {
    expect(await events(published(), 'verify')).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(
        /^Seal 1 is not published to the directory .*\. Run 'billing events publish'\.\n.* and 1 problem of published seals\.\n$/,
      ) as unknown,
    })
    expect((await events(published(), 'publish')).stdout).toMatch(/^Published 1 seal to/)
    expect((await events(published(), 'publish')).stdout).toMatch(/^Nothing to publish: .* took/)
    expect((await events(published(), 'verify')).code).toBe(0)
    expect(await events({}, 'publish')).toMatchObject({ code: 2, stdout: '' })
  }, 120_000)

  it.each<[string, () => Promise<void>, RegExp]>([
    ['removed', () => rm(file()), /^Seal 1: The seal was removed from the directory/m],
    [
      'changed',
      async () =>
        writeFile(file(), (await readFile(file(), 'utf8')).replace('"events":2', '"events":1')),
      /^Seal 1: The seal in the directory .* is not signed with this AUDIT_KEY/m,
    ],
    [
      'away, as a disk that is not mounted',
      () => rename(at('seals'), at('elsewhere')),
      /^The published seals in .* cannot be read \(ENOENT\): the directory does not exist\. Create or mount it, or correct SEAL_DIRECTORY\.$/m,
    ],
  ])(
    'that is %s is found, and nothing is sealed',
    async (_, change, problem) => {
      expect((await events(published(), 'publish')).code).toBe(0)
      await change()
      for (const command of ['verify', 'seal']) {
        const run = await events(published(), command)
        expect(run.code).toBe(1)
        expect(run.stdout).toMatch(problem)
      }
      expect(await sealsStored()).toBe(1)
    },
    120_000,
  )

  it('completes an interrupted write, and refuses a seal of another product', async () => {
    expect((await events(published(), 'publish')).code).toBe(0)
    const whole = await readFile(file(), 'utf8')
    await database.pool.query('DELETE FROM app.published_seal')
    await writeFile(file(), whole.slice(0, 100))
    expect((await events(published(), 'publish')).code).toBe(0)
    expect(await readFile(file(), 'utf8')).toBe(whole)

    await database.pool.query('DELETE FROM app.published_seal')
    const other = whole.replace('"events":2', '"events":1')
    await writeFile(file(), other)
    expect(await events(published(), 'publish')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('has another seal of this number') as unknown,
    })
    expect(await readFile(file(), 'utf8')).toBe(other)
  }, 120_000)
})

describe('a program that publishes seals', () => {
  const programs = () => ({ SEAL_PROGRAM: at('publish'), SEAL_LIST_PROGRAM: at('list') })
  async function script(name: string, ...lines: readonly string[]): Promise<void> {
    await writeFile(at(name), ['#!/bin/sh', ...lines, ''].join('\n'))
    await chmod(at(name), 0o755)
  }
  beforeEach(async () => {
    await script('list', `cat ${at('published.ndjson')}`)
    await writeFile(at('published.ndjson'), '')
    await script('publish', `env > ${at('env')}`, `cat >> ${at('published.ndjson')}`)
  })

  it('that fails leaves the seal in the database, is named, and is tried again', async () => {
    await script('publish', 'echo "the mail server is away" >&2', 'exit 3')
    const sealed = await events(programs(), 'seal')
    expect(sealed).toMatchObject({ code: 1 })
    expect(sealed.stdout).toContain(
      `1 seal is not published to the program ${at('publish')}, from seal 1 on: ${at('publish')} (SEAL_PROGRAM) failed: exit code 3, and printed "the mail server is away".`,
    )
    expect(await sealsStored()).toBe(1)
    expect(await events(programs(), 'verify')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('Seal 1 is not published to the program') as unknown,
    })

    await script('publish', `cat >> ${at('published.ndjson')}`)
    expect((await events(programs(), 'seal')).stdout).toMatch(/^Published 2 seals to the program/m)
    expect((await readFile(at('published.ndjson'), 'utf8')).split('\n')).toHaveLength(3)
    expect((await events(programs(), 'verify')).code).toBe(0)
  }, 180_000)

  it('gets no secret, and the seals that its list lacks are found', async () => {
    expect((await events(programs(), 'seal')).code).toBe(0)
    const environment = await readFile(at('env'), 'utf8')
    expect(environment).toContain('SEAL_PROGRAM=')
    expect(environment).not.toMatch(/AUDIT_KEY|DATABASE_URL/)
    await writeFile(at('published.ndjson'), '')
    expect((await events(programs(), 'verify')).stdout).toMatch(
      /^Seal 1: The seal was removed from the program/m,
    )
  }, 120_000)

  it('is refused if only its list is set', async () => {
    expect(await events({ SEAL_LIST_PROGRAM: at('list') }, 'verify')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('SEAL_PROGRAM, which publishes the seals, is not') as unknown,
    })
    expect(await events({ SEAL_DIRECTORY: 'seals' }, 'verify')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('must be an absolute path') as unknown,
    })
  }, 60_000)
})
