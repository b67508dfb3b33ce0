import { expect, it } from '@jest/globals'
import { readdir } from 'node:fs/promises'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'
import { runBilling } from '../../support/product/run-billing.ts'

it('processes that start at once in a new DATA_DIR use the same generated secrets', async () => {
  const directory = await temporaryDirectory()
  const runs = await Promise.all(
    Array.from({ length: 6 }, () =>
      runBilling({ DATA_DIR: directory.path }, 'events', 'public-key'),
    ),
  )
  expect(runs.map(({ code, stderr }) => (code === 0 ? '' : stderr)).join('')).toBe('')
  expect(new Set(runs.map(({ stdout }) => stdout)).size).toBe(1)
  expect(await readdir(directory.path)).toEqual(['sandbox-secrets.json'])
  await directory.remove()
}, 30_000)
