import { existsSync, readFileSync } from 'node:fs'
import { trackedFiles } from './git.ts'

const recipes = ['docs/how-to.md', 'CONTRIBUTING.md', 'docs/architecture.md']

/** What the examples of the recipes add. */
const made = [
  'contracts/admin/messages.ts',
  'services/finance/controls/late-refund.ts',
  'services/notifications/templates/plan-paused.ts',
  'services/payments/other/',
  'services/reports/definitions/disputes.ts',
  'tests/web/statements.test.tsx',
  'web/app/statements-route.tsx',
  'web/features/admin/tabs/messages-tab.tsx',
  'web/features/statements/statements-page.css',
  'web/features/statements/statements-page.tsx',
]

const areas = /^(contracts|docs|projections|scripts|services|tests|web)\//

/** Files that a recipe names and that do not exist, and proofs that would run no test. */
export function brokenRecipes(): readonly string[] {
  const tests = [...trackedFiles(), ...made].filter((file) => /\.test\.tsx?$/.test(file))
  return recipes.flatMap((page) => {
    const text = readFileSync(page, 'utf8')
    return [
      ...namedFiles(text)
        .filter((file) => !existsSync(file) && !made.includes(file))
        .map((file) => `${page} names ${file}, which does not exist.`),
      ...filters(text)
        .filter((filter) => !tests.some((test) => test.includes(filter)))
        .map((filter) => `${page} runs the tests of ${filter}, but no test file has this name.`),
    ]
  })
}

/** Paths in backticks. A name with a placeholder stands for several files. */
function namedFiles(text: string): readonly string[] {
  return [...text.matchAll(/`([^`\s]+\/[^`\s]*)`/g)]
    .map(([, path = '']) => path)
    .filter((path) => areas.test(path) && /(\.\w+|\/)$/.test(path) && !/[…<*{]/.test(path))
}

/** The parts of paths after `npm run jest --`. */
function filters(text: string): readonly string[] {
  return [...text.matchAll(/npm run jest -- ([^`#\n]+)/g)].flatMap(([, all = '']) =>
    all
      .trim()
      .split(/\s+/)
      .filter((filter) => /^[a-z]/.test(filter)),
  )
}
