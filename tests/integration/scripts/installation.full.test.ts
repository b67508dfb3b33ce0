import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'

/* The scripts of package.json, in a checkout without packages or on a Node.js that is too old. */

const scripts = Object.values(
  (JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> }).scripts,
).flatMap((command) => /scripts\/[\w-]+\.mjs/.exec(command) ?? [])
const everyScript = [...new Set(scripts)]

let checkout: Awaited<ReturnType<typeof temporaryDirectory>>
beforeEach(async () => {
  checkout = await temporaryDirectory()
  cpSync('scripts', join(checkout.path, 'scripts'), { recursive: true })
  cpSync('package.json', join(checkout.path, 'package.json'))
})
afterEach(() => checkout.remove())

function run(script: string, ...nodeOptions: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [...nodeOptions, script], {
    cwd: checkout.path,
    encoding: 'utf8',
    timeout: 30_000,
  })
  return { status, output: stdout + stderr }
}

const asNode = (version: string) => [
  '--import',
  `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'${version}'}})`,
]

describe('a script of package.json', () => {
  it('is found for start, billing, test, dev, bench and hash-admin-password', () => {
    expect(everyScript).toEqual(
      expect.arrayContaining(
        ['start', 'billing', 'test', 'dev', 'bench', 'hash-admin-password'].map(
          (name) => `scripts/${name}.mjs`,
        ),
      ),
    )
  })

  it.each(everyScript)('reports before npm ci that packages are missing: %s', (script) => {
    expect(run(script)).toEqual({
      status: 1,
      output: expect.stringMatching(
        /^npm packages are missing \(\S+ and \d+ more\): run npm ci and start again\.\n$/,
      ),
    })
  })

  it.each(everyScript)('reports that Node.js is too old: %s', (script) => {
    const sentence =
      'This is Node.js 18.20.4, and the product needs 20.19 or newer: install it, run npm ci and start again.\n'
    expect(run(script, ...asNode('18.20.4'))).toEqual({ status: 1, output: sentence })
  })
})

describe('the check of an installation', () => {
  const check = 'scripts/check-installation.mjs'

  it('names the one package that is missing after an update of the checkout', () => {
    symlinkAllPackages()
    rmSync(join(checkout.path, 'node_modules/pg'))
    expect(run(check)).toEqual({
      status: 1,
      output: 'npm packages are missing (pg): run npm ci and start again.\n',
    })
  })

  it.each(['20.19.0', '20.20.2', '22.0.0', '100.1.0'])(
    'prints nothing on Node.js %s with every package',
    (version) => {
      symlinkAllPackages()
      expect(run(check, ...asNode(version))).toEqual({ status: 0, output: '' })
    },
  )

  it.each(['20.18.3', '20.9.0', '19.20.0', '9.99.9'])('refuses Node.js %s', (version) => {
    expect(run(check, ...asNode(version)).output).toMatch(
      new RegExp(`^This is Node.js ${version},`),
    )
  })

  function symlinkAllPackages(): void {
    const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      dependencies: Record<string, string>
    }
    for (const name of Object.keys(dependencies)) {
      mkdirSync(join(checkout.path, 'node_modules', name, '..'), { recursive: true })
      symlinkSync(
        join(process.cwd(), 'node_modules', name),
        join(checkout.path, 'node_modules', name),
        'junction',
      )
    }
  }
})
