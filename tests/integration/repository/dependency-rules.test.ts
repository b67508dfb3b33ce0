import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'

const checker = resolve('scripts/check-dependencies.mjs')

/** Every rule, and the smallest tree that breaks it. */
const violations: Record<string, Record<string, string>> = {
  'contracts-stand-alone': {
    'contracts/money.ts': `import { clock } from '#services/clock'\nexport const now = clock`,
    'services/clock.ts': 'export const clock = 1',
  },
  'contracts-need-only-zod': { 'contracts/money.ts': `import { randomUUID } from 'node:crypto'\nexport const id = randomUUID` },
  'projections-read-the-log': {
    'projections/users.ts': `import { mail } from '#services/mail'\nexport const sent = mail`,
    'services/mail.ts': 'export const mail = 1',
  },
  'services-know-no-screen': {
    'services/page.ts': `import { page } from '../web/page.tsx'\nexport const html = page`,
    'web/page.tsx': 'export const page = <p ref={null}>Hello</p>',
  },
  'sandbox-is-another-program': {
    'services/pay.ts': `import { bank } from './sandbox/bank.ts'\nexport const pay = bank`,
    'services/sandbox/bank.ts': 'export const bank = 1',
  },
  'sandbox-stands-alone': {
    'services/sandbox/bank.ts': `import { pay } from '../pay.ts'\nexport const bank = pay`,
    'services/pay.ts': 'export const pay = 1',
  },
  'web-knows-contracts': {
    'web/page.tsx': `import type { State } from '#services/state'\nexport const page = (state: State) => <p>{state}</p>`,
    'services/state.ts': 'export type State = string',
  },
  'features-stand-alone': {
    'web/features/auth/dialog.tsx': `import { Price } from '../pricing/price.tsx'\nexport const dialog = <Price />`,
    'web/features/pricing/price.tsx': 'export const Price = () => <b>39</b>',
  },
  'product-knows-no-test': {
    'scripts/seed.ts': `import { seed } from '../tests/seed.ts'\nexport const rows = seed`,
    'tests/seed.ts': 'export const seed = 1',
  },
  'no-cycle': {
    'services/a.ts': `import { b } from './b.ts'\nexport const a = (): number => b()`,
    'services/b.ts': `import { a } from './a.ts'\nexport const b = (): number => a()`,
  },
  'no-barrel': {
    'web/app.tsx': `import { Price } from './ui/index.ts'\nexport const app = <Price />`,
    'web/ui/index.ts': `export { Price } from './price.tsx'`,
    'web/ui/price.tsx': 'export const Price = () => <b>39</b>',
  },
  'declared-packages': {
    'services/pay.ts': `import { charge } from 'undeclared'\nexport const pay = charge`,
    'node_modules/undeclared/package.json': '{ "name": "undeclared", "main": "main.js" }',
    'node_modules/undeclared/main.js': 'exports.charge = 1',
  },
  'product-runs-without-dev-packages': {
    'services/pay.ts': `import { charge } from 'only-for-tests'\nexport const pay = charge`,
    'node_modules/only-for-tests/package.json': '{ "name": "only-for-tests", "main": "main.js" }',
    'node_modules/only-for-tests/main.js': 'exports.charge = 1',
  },
}

describe('the dependency rules', () => {
  let tree: string

  beforeEach(async () => {
    tree = await mkdtemp(join(tmpdir(), 'dependency-rules-'))
    await plant({
      'package.json': JSON.stringify({
        type: 'module',
        imports: { '#contracts/*': './contracts/*.ts', '#services/*': './services/*.ts', '#projections/*': './projections/*.ts' },
        devDependencies: { 'only-for-tests': '1.0.0' },
      }),
      'vite.config.ts': 'export const nothing = 0',
    })
    for (const area of ['contracts', 'projections', 'scripts', 'services', 'tests', 'web']) await mkdir(join(tree, area))
  })

  afterEach(() => rm(tree, { recursive: true, force: true }))

  it.each(Object.entries(violations))('%s is broken by a planted violation, and alone', async (rule, files) => {
    await plant(files)
    expect(await brokenRules()).toEqual([rule])
  })

  it('are kept by a tree that imports only downwards', async () => {
    await plant({
      'contracts/money.ts': `import type { Currency } from './currency.ts'\nexport type Money = [number, Currency]`,
      'contracts/currency.ts': `export type Currency = 'usd'`,
      'projections/users.ts': `import type { Money } from '#contracts/money'\nexport type Users = Money`,
      'services/pay.ts': `import type { Users } from '#projections/users'\nexport type Pay = Users`,
      'web/features/pricing/price.tsx': `import type { Money } from '#contracts/money'\nexport const Price = (money: Money) => <b>{money}</b>`,
    })
    expect(await brokenRules()).toEqual([])
  })

  it('each have a violation here', async () => {
    const { default: rules } = (await import(resolve('.dependency-cruiser.mjs'))) as { default: { forbidden: readonly { name: string }[] } }
    expect(rules.forbidden.map((rule) => rule.name).sort()).toEqual(Object.keys(violations).sort())
  })

  async function plant(files: Record<string, string>): Promise<void> {
    for (const [file, content] of Object.entries(files)) {
      await mkdir(dirname(join(tree, file)), { recursive: true })
      await writeFile(join(tree, file), `${content}\n`)
    }
  }

  async function brokenRules(): Promise<string[]> {
    const options = { cwd: tree, env: { ...process.env, FORCE_COLOR: '0' } }
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [checker], options)
      .catch((failure: { stdout: string; stderr: string }) => failure)
    expect(stderr).toBe('')
    expect(stdout).toMatch(/dependency violations/)
    return [...new Set([...stdout.matchAll(/^\s*error (\S+):/gm)].map(([, rule]) => rule ?? ''))]
  }
})
