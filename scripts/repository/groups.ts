import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import { sameList } from './differences.ts'

const rules = z.object({ servicesFromTheGroundUp: z.array(z.array(z.string())) })

/** Whether docs/architecture.md has the groups of services/ in the order of the import rules. */
export async function misstatedGroups(): Promise<readonly string[]> {
  const file: unknown = await import(pathToFileURL('.dependency-cruiser.mjs').href)
  const [, table = ''] = readFileSync('docs/architecture.md', 'utf8').split('| the groups |\n')
  const rows = (table.split('\n\n')[0] ?? '').split('\n')
  return sameList('The table of groups in docs/architecture.md', {
    stated: [...rows.join('').matchAll(/`([\w-]+)`/g)].map(([, group = '']) => group),
    actual: rules.parse(file).servicesFromTheGroundUp.flat(),
  })
}
