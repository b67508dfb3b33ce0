import { readFileSync } from 'node:fs'
import { z } from 'zod'

/*
 * No registry answers `npm audit` everywhere. docs/security.md compares the installed versions with
 * published advisories, and is only true for these versions.
 */

const ownPackage = z.object({
  dependencies: z.record(z.string(), z.string()),
  optionalDependencies: z.record(z.string(), z.string()),
})
const lockFile = z.object({
  packages: z.record(z.string(), z.object({ version: z.string().optional() })),
})
const parsed = <Value>(file: string, schema: z.ZodType<Value>) =>
  schema.parse(JSON.parse(readFileSync(file, 'utf8')))

/** The production packages whose installed version docs/security.md does not compare. */
export function uncomparedVersions(): readonly string[] {
  const { dependencies, optionalDependencies } = parsed('package.json', ownPackage)
  const { packages } = parsed('package-lock.json', lockFile)
  const compared = comparedVersions()
  const names = new Set([
    ...Object.keys({ ...dependencies, ...optionalDependencies }),
    ...compared.keys(),
  ])
  return [...names].flatMap((name) => {
    const [stated, installed] = [compared.get(name), packages[`node_modules/${name}`]?.version]
    return stated === installed
      ? []
      : [
          `docs/security.md compares ${name} ${stated ?? '(not named)'} with advisories, but ${installed ?? 'none'} is installed.`,
        ]
  })
}

/** The packages with their versions, as in "`pg` 8.23.1", of the section about advisories. */
function comparedVersions(): ReadonlyMap<string, string | undefined> {
  const [, section = ''] = readFileSync('docs/security.md', 'utf8').split(
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
