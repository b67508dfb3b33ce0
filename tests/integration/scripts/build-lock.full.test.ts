import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { readdir, utimes, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'
import { until } from '../../support/machine/until.ts'

let folder: string
let remove: () => Promise<void>
const builders: ChildProcess[] = []

beforeEach(async () => ({ path: folder, remove } = await temporaryDirectory()))
afterEach(async () => {
  for (const builder of builders.splice(0)) builder.kill('SIGKILL')
  await remove()
})

/**
 * A process that builds unless `built` exists. Its build appends its process id to `builds` and
 * takes until `go` exists.
 */
function builder(): ChildProcess & { readonly ended: Promise<unknown> } {
  const program = `
    import { appendFileSync, existsSync, writeFileSync } from 'node:fs'
    const { buildAlone } = await import(${JSON.stringify(resolve('scripts/build/build-lock.mjs'))})
    await buildAlone('.', {
      isNeeded: () => !existsSync('built'),
      async build() {
        appendFileSync('builds', process.pid + '\\n')
        while (!existsSync('go')) await new Promise((resolve) => setTimeout(resolve, 20))
        writeFileSync('built', '')
      },
      onWait: (pid) => appendFileSync('waits', process.pid + ' for ' + pid + '\\n'),
    })`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    cwd: folder,
    stdio: 'inherit',
  })
  builders.push(child)
  return Object.assign(child, { ended: once(child, 'exit') })
}

const lines = (name: string) => {
  const path = join(folder, name)
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : []
}

const locks = async () => (await readdir(folder)).filter((name) => name.startsWith('building-'))

describe('processes that all need a build', () => {
  it('build once: the others wait for the first', async () => {
    const all = [builder(), builder(), builder(), builder()]
    await until(() => lines('waits').length === 3)
    await writeFile(join(folder, 'go'), '')
    await Promise.all(all.map(({ ended }) => ended))
    expect(lines('builds')).toHaveLength(1)
    expect(await locks()).toEqual([])
  })

  it('build once more if the builder is killed', async () => {
    const first = builder()
    await until(() => lines('builds').length === 1)
    const others = [builder(), builder(), builder()]
    await until(() => lines('waits').length === 3)
    first.kill('SIGKILL')
    await until(() => lines('waits').length === 5)
    await writeFile(join(folder, 'go'), '')
    await Promise.all(others.map(({ ended }) => ended))
    expect(lines('builds')).toHaveLength(2)
    expect(await locks()).toEqual([])
  })

  it('do not wait for a process that took the id of a killed builder', async () => {
    await writeFile(join(folder, 'building-7'), String(process.pid))
    const longAgo = new Date(Date.now() - 60_000)
    await utimes(join(folder, 'building-7'), longAgo, longAgo)
    await writeFile(join(folder, 'go'), '')
    await builder().ended
    expect(lines('builds')).toHaveLength(1)
    expect(lines('waits')).toEqual([])
    expect(await locks()).toEqual([])
  })

  it('do not wait for a builder that was killed before it wrote its id', async () => {
    await writeFile(join(folder, 'building-1'), '')
    await writeFile(join(folder, 'go'), '')
    await builder().ended
    expect(lines('builds')).toHaveLength(1)
  })
})
