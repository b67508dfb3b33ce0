import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { markUnfinished } from '#services/event-store/transfer/unfinished-restore'
import { sharedSecrets } from '../../support/data/real-settings.ts'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'
import { createTestDatabase, type TestDatabase } from '../../support/postgres/database.ts'
import { runBilling } from '../../support/product/run-billing.ts'

let database: TestDatabase
let directory: Awaited<ReturnType<typeof temporaryDirectory>>
beforeAll(async () => {
  ;[database, directory] = await Promise.all([createTestDatabase(), temporaryDirectory()])
  await markUnfinished(database.pool, 'restore')
})
afterAll(async () => {
  await database.drop()
  await directory.remove()
})

const file = (name: string) => join(directory.path, name)

it.each([
  ['backup', () => ['backup', file('backup')]],
  ['events export', () => ['events', 'export', '--out', file('log.ndjson')]],
  ['events seal', () => ['events', 'seal']],
  ['events copy', () => ['events', 'copy', '--to', 'database']],
  ['close', () => ['close', '2026-01', '--yes']],
  ['close list', () => ['close', 'list']],
  ['keys rotate', () => ['keys', 'rotate']],
])(
  'billing %s refuses the log of an interrupted restore',
  async (_, args) => {
    const settings = { DATA_DIR: directory.path, DATABASE_URL: database.connectionString }
    expect(await runBilling({ ...settings, ...sharedSecrets }, ...args())).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /(^|\n)'billing restore' into EventStoreDB was interrupted/,
      ) as unknown,
    })
  },
  60_000,
)

it('billing events import does not complete an interrupted restore', async () => {
  const other = await createTestDatabase()
  const settings = { DATA_DIR: directory.path, ...sharedSecrets }
  const exported = { ...settings, DATABASE_URL: other.connectionString }
  try {
    const out = file('other.ndjson')
    expect(await runBilling(exported, 'events', 'export', '--out', out)).toMatchObject({ code: 0 })
    const marked = { ...settings, DATABASE_URL: database.connectionString }
    expect(await runBilling(marked, 'events', 'import', out)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("'billing restore' into EventStoreDB was interrupted"),
    })
  } finally {
    await other.drop()
  }
}, 60_000)
