import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'
import { until } from '../../support/machine/until.ts'

let directory: Awaited<ReturnType<typeof temporaryDirectory>>
let file: string
beforeEach(async () => {
  directory = await temporaryDirectory()
  file = join(directory.path, 'log')
})
afterEach(() => directory.remove())

/**
 * A process that logs every 5 ms to a file that takes 1 kB, like a full disk: a write beyond fails
 * with EFBIG. The process exits with code 7 when its standard input ends.
 */
function logging() {
  const program = `
    const { createLogger } = await import('#services/foundation/logger')
    const log = createLogger('info')
    setInterval(() => log.info('a line'), 5)
    process.stdin.on('end', () => process.exit(7)).resume()`
  return spawn(
    'bash',
    [
      '-c',
      'ulimit -f 1; exec "$0" --import tsx --input-type=module -e "$1" >> "$2"',
      process.execPath,
      program,
      file,
    ],
    { stdio: ['pipe', 'ignore', 'pipe'] },
  )
}

describe('a log whose disk is full', () => {
  it('neither ends the process nor keeps it from its exit', async () => {
    const child = logging()
    const exited = once(child, 'exit')
    await until(async () => (await contentOf(file)).length === 1_024)
    await sleep(200)
    expect(child.exitCode).toBe(null)
    child.stdin.end()
    expect((await exited)[0]).toBe(7)
  })

  it('continues when there is space again, and says how many lines were lost', async () => {
    const child = logging()
    const exited = once(child, 'exit')
    await until(async () => (await contentOf(file)).length === 1_024)
    await sleep(200)
    await truncate(file)
    await until(async () => (await contentOf(file)).includes('"lost":'))
    child.stdin.end()
    expect((await exited)[0]).toBe(7)
    expect(await contentOf(file)).toContain('Log lines were lost, because the log could not be')
  })
})

const contentOf = (path: string) => readFile(path, 'utf8').catch(() => '')
