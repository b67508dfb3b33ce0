import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import dependencyRules from '../.dependency-cruiser.mjs'
import { formsOfImport, orderly, violations } from './lint/planted-imports.mjs'

/*
 * Checks the import rules themselves: each one reports its planted violation, and no other one, and
 * the order of the services reports each form of an import. Exits with 1 if a rule does not.
 */

const areas = ['contracts', 'projections', 'scripts', 'services', 'tests', 'web']
const manifest = JSON.stringify({
  type: 'module',
  imports: {
    '#contracts/*': './contracts/*.ts',
    '#services/*': './services/*.ts',
    '#projections/*': './projections/*.ts',
  },
  dependencies: { pg: '1.0.0' },
  devDependencies: { 'only-for-tests': '1.0.0' },
})

const root = await mkdtemp(join(tmpdir(), 'planted-imports-'))
try {
  const problems = [...unplantedRules(), ...(await unexpectedReports())]
  for (const problem of problems) console.log(problem)
  process.exitCode = problems.length > 0 ? 1 : 0
} finally {
  await rm(root, { recursive: true, force: true })
}

function unplantedRules() {
  return dependencyRules.forbidden
    .filter(({ name }) => !(name in violations))
    .map(({ name }) => `The import rule ${name} has no tree in scripts/lint/planted-imports.ts.`)
}

async function unexpectedReports() {
  const trees = { ...violations, ...formsOfImport, orderly }
  for (const [name, files] of Object.entries(trees)) await plant(join(root, name), files)
  const reported = await brokenRules(Object.keys(trees))
  return Object.keys(trees).flatMap((name) => {
    const expected =
      name === 'orderly' ? 'none' : name in formsOfImport ? 'services-order-billing' : name
    const rules = reported.get(name)?.join(', ') || 'none'
    return rules === expected
      ? []
      : [`The planted tree of ${name} breaks these import rules: ${rules}; expected: ${expected}.`]
  })
}

async function plant(tree, files) {
  for (const area of areas) await mkdir(join(tree, area), { recursive: true })
  const all = { 'package.json': manifest, 'vite.config.ts': 'export const nothing = 0', ...files }
  for (const [file, content] of Object.entries(all)) {
    await mkdir(dirname(join(tree, file)), { recursive: true })
    await writeFile(join(tree, file), `${content}\n`)
  }
}

/** One process checks all trees, because its start takes longer than a check. */
async function brokenRules(names) {
  const checker = resolve('scripts/check-dependencies.mjs')
  const trees = names.map((name) => join(root, name))
  // It exits with 1 because trees break rules.
  const { stdout } = await promisify(execFile)(process.execPath, [checker, ...trees], {
    env: { ...process.env, FORCE_COLOR: '0' },
    maxBuffer: 16_000_000,
  }).catch((failure) => failure)
  const reports = stdout.split(/^tree /m).slice(1)
  return new Map(
    reports.map((report) => {
      const [tree = ''] = report.split('\n')
      const rules = [...report.matchAll(/^\s*error (\S+):/gm)].map(([, rule = '']) => rule)
      return [tree.slice(root.length + 1), [...new Set(rules)]]
    }),
  )
}
