import { readdirSync, readFileSync } from 'node:fs'
import { readModels } from '#projections/read-models'
import { sameList } from './differences.ts'

/** Whether CHANGELOG.md has the versions of the read models and the last migration. */
export function misstatedRelease(): readonly string[] {
  const page = readFileSync('CHANGELOG.md', 'utf8')
  const [, unreleased = ''] = page.split('\n## Unreleased\n')
  const [section = ''] = unreleased.split('\n## ')
  return [
    ...sameList('The table of read models in CHANGELOG.md', {
      stated: [...section.matchAll(/^\| `([\w-]+)` \| (\d+) \|/gm)].map(
        ([, name = '', version = '']) => `${name} ${version}`,
      ),
      actual: readModels.map(({ name, version }) => `${name} ${version}`).toSorted(),
    }),
    ...sameList('The last migration in CHANGELOG.md', {
      stated: [...section.matchAll(/The last one is `(\w+)`/g)].map(([, name = '']) => name),
      actual: readdirSync('services/postgres/migrations')
        .toSorted()
        .slice(-1)
        .map((file) => file.replace('.sql', '')),
    }),
  ]
}
