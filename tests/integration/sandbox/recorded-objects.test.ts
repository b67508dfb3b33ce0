import { readFile, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { recordAccountObjects } from '../../support/product/record-account-objects.ts'
import { recordObjects } from '../../support/product/record-objects.ts'
import { startTestSandbox, type TestSandbox } from '../../support/product/sandbox.ts'

/*
 * The files of tests/support/data/stripe. After a change of the sandbox's objects, write them with
 * `WRITE_RECORDED=1 npm run jest -- recorded-objects`.
 */

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await startTestSandbox()
})
afterAll(() => sandbox?.close())

/** Every field of an object, by its path, with the type of its value. */
function shapeOf(value: unknown, path = ''): readonly string[] {
  if (Array.isArray(value)) return [...new Set(value.flatMap((each) => shapeOf(each, `${path}[]`)))]
  if (typeof value !== 'object' || value === null)
    return [`${path}: ${value === null ? 'null' : typeof value}`]
  return Object.entries(value).flatMap(([key, member]) => shapeOf(member, `${path}.${key}`))
}

it('the recorded objects have the fields of the sandbox’s objects', async () => {
  const made = { ...(await recordObjects(sandbox)), ...(await recordAccountObjects(sandbox)) }
  const objects = JSON.parse(JSON.stringify(made)) as object
  for (const [name, object] of Object.entries(objects)) {
    const file = new URL(`../../support/data/stripe/${name}.json`, import.meta.url)
    if (process.env.WRITE_RECORDED === '1')
      await writeFile(file, `${JSON.stringify(object, null, 2)}\n`)
    const recorded = JSON.parse(await readFile(file, 'utf8')) as unknown
    expect([name, ...[...shapeOf(recorded)].sort()]).toEqual([name, ...[...shapeOf(object)].sort()])
  }
}, 60_000)
