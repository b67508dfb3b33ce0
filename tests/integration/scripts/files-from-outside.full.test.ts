import { randomBytes } from 'node:crypto'
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { createPostgresEventLog } from '#services/event-store/postgres/postgres-event-log'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'
import { billingInOneProcess } from '../../support/product/billing-in-one-process.ts'
import { sharedSecrets } from '../../support/data/real-settings.ts'

const runBilling = billingInOneProcess()

let directory: Awaited<ReturnType<typeof temporaryDirectory>>
let database: TestDatabase

beforeAll(async () => {
  directory = await temporaryDirectory()
  database = await createTestDatabase()
  await writeFile(join(directory.path, 'a-file'), '')
  await writeFile(join(directory.path, 'text'), 'hello\nworld\n')
  await writeFile(join(directory.path, 'noise.gz'), randomBytes(5_000))
  await writeFile(
    join(directory.path, 'one-line.gz'),
    gzipSync(Buffer.alloc(70 * 1024 * 1024, 'x')),
  )
  await symlink('loop', join(directory.path, 'loop'))
  await mkdir(join(directory.path, 'empty'))
})
afterAll(async () => {
  await database.drop()
  await directory.remove()
})

const billing = (...args: readonly string[]) =>
  runBilling(
    {
      DATA_DIR: directory.path,
      DATABASE_URL: database.connectionString,
      ADMIN_PASSWORD: 'a long password',
      ...sharedSecrets,
    },
    ...args,
  )

describe('a file that is no work of billing ends a command with one sentence', () => {
  it.each([
    ['events import', 'one-line.gz', /has a line of more than 64 MiB/],
    ['events import', 'loop', /cannot be read \(ELOOP\)/],
    ['events repair', 'loop', /cannot be read \(ELOOP\)/],
    ['events repair', 'text', /is neither a backup nor an export|is incomplete/],
    ['events repair', 'empty', /billing-backup\.ndjson\.gz cannot be read \(ENOENT\)/],
    ['keys restore', 'a-file/x', /cannot be read \(ENOTDIR\)/],
    ['keys restore', 'noise.gz', /cannot be decompressed/],
    ['events verify --manifest', 'a-file', /a-file is empty, so it proves nothing/],
    ['events verify --manifest', 'loop', /cannot be read \(ELOOP\)/],
    ['backup check', 'a-file', /cannot be read \(ENOTDIR\)/],
    ['restore', 'empty', /cannot be read \(ENOENT\)\. [^.]*\. Nothing was restored\.$/],
  ])('%s %s', async (command, name, sentence) => {
    const { code, stdout, stderr } = await billing(
      ...command.split(' '),
      join(directory.path, name),
    )
    expect(code).toBe(1)
    expect(stdout).toBe('')
    const last =
      stderr
        .trimEnd()
        .split(/[\n\r]+/)
        .at(-1) ?? ''
    expect(last).toMatch(sentence)
    expect(stderr).not.toMatch(/^\s+at /m)
  })

  it('and the log, the keys and the directory are as before', async () => {
    const { pool, connectionString } = database
    const { store } = createPostgresEventLog({ connectionString, pool })
    expect(await store.countAfter(null)).toBe(0)
    await store.close()
    expect((await pool.query('SELECT 1 FROM app.personal_key')).rowCount).toBe(0)
    expect((await readdir(directory.path)).sort()).toEqual(
      ['a-file', 'empty', 'loop', 'noise.gz', 'one-line.gz', 'text'].sort(),
    )
  })
})
