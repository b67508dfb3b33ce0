import { readFile } from 'node:fs/promises'
import { expect, it } from '@jest/globals'
import { z } from 'zod'

/*
 * No registry answers `npm audit` here. docs/security.md compares the installed versions with
 * published advisories, and is only true for these versions.
 */

const ownPackage = z.object({
  dependencies: z.record(z.string(), z.string()),
  optionalDependencies: z.record(z.string(), z.string()),
})
const lockFile = z.object({
  packages: z.record(z.string(), z.object({ version: z.string().optional() })),
})
const parsed = async <Value>(file: string, schema: z.ZodType<Value>) =>
  schema.parse(JSON.parse(await readFile(file, 'utf8')))

/** The packages with their versions, as in "`pg` 8.23.1", of the section about advisories. */
async function comparedVersions() {
  const [, section = ''] = (await readFile('docs/security.md', 'utf8')).split(
    '### Versions compared with published advisories',
  )
  const [text = ''] = section.split('\n## ')
  // The installed version of a package within another one is in parentheses.
  return new Map(
    [...text.matchAll(/(?<=^\| |, |\n)`([^`]+)`\s(\d[\w.-]*\w)/gm)].map(
      ([, name = '', version]) => [name, version],
    ),
  )
}

it('docs/security.md compares the installed version of every production package with advisories', async () => {
  const { dependencies, optionalDependencies } = await parsed('package.json', ownPackage)
  const { packages } = await parsed('package-lock.json', lockFile)
  const compared = await comparedVersions()
  const names = new Set([
    ...Object.keys({ ...dependencies, ...optionalDependencies }),
    ...compared.keys(),
  ])
  const installed = [...names].map((name) => [name, packages[`node_modules/${name}`]?.version])
  expect(Object.fromEntries(compared)).toEqual(Object.fromEntries(installed))
})
