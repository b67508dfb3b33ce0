import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { constants, type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'
import { until } from '../../support/machine/until.ts'

let directory: Awaited<ReturnType<typeof temporaryDirectory>>
let pipe: string
/** The end of the pipe at which the test reads when it wants to. */
let reader: FileHandle
let child: ChildProcess | undefined
beforeEach(async () => {
  directory = await temporaryDirectory()
  pipe = join(directory.path, 'pipe')
  await promisify(execFile)('mkfifo', [pipe])
  reader = await open(pipe, constants.O_RDONLY | constants.O_NONBLOCK)
})
afterEach(async () => {
  child?.kill('SIGKILL')
  await reader.close().catch(() => undefined)
  await directory.remove()
})

/**
 * A process that logs to the pipe: `program` has a logger `log`, and `ended`, a promise that
 * resolves when the standard input of the process ends. The process writes to its standard error
 * what the test waits for.
 */
function logging(program: string) {
  const started = spawn(
    'bash',
    [
      '-c',
      'exec "$0" --import tsx --input-type=module -e "$1" > "$2"',
      process.execPath,
      `const { createLogger } = await import('#services/foundation/logger')
       const log = createLogger('info')
       const ended = new Promise((resolve) => process.stdin.on('end', resolve).resume())
       ${program}`,
      pipe,
    ],
    { stdio: ['pipe', 'ignore', 'pipe'] },
  )
  child = started
  let errors = ''
  started.stderr.on('data', (text: Buffer) => (errors += text.toString()))
  return { process: started, exited: once(started, 'exit'), errors: () => errors }
}

/** Numbered lines of 500 characters: 40,000 are 20 MB, more than the process keeps. */
const logMany = `
  for (let n = 0; n < 40_000; n += 1) {
    log.info({ n }, 'x'.repeat(420))
    if (n % 500 === 0) await new Promise(setImmediate)
  }
  process.stderr.write('logged')`

interface Line {
  readonly n?: number
  readonly lost?: number
}

/** Reads with pauses until `isLast` holds of a line, or to the end of the pipe. */
async function readLines(
  isLast: (line: Line) => boolean,
  { bytes, pauseMs }: { readonly bytes: number; readonly pauseMs: number },
): Promise<readonly Line[]> {
  const lines: Line[] = []
  let rest = ''
  for (;;) {
    const hasEnded = child?.exitCode !== null
    const read = await reader.read(Buffer.alloc(bytes)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EAGAIN') return null
      throw error
    })
    // A process that has not opened the pipe yet looks like one that has closed it.
    if (read?.bytesRead === 0 && hasEnded) return lines
    if (!read?.bytesRead || pauseMs > 0) await sleep(Math.max(pauseMs, 5))
    const parts = (rest + (read?.buffer.toString('utf8', 0, read.bytesRead) ?? '')).split('\n')
    rest = parts.pop() ?? ''
    for (const part of parts) {
      lines.push(JSON.parse(part) as Line)
      if (isLast(lines.at(-1) ?? {})) return lines
    }
  }
}

const atOnce = { bytes: 1_000_000, pauseMs: 0 }
const numbersOf = (lines: readonly Line[]) => lines.flatMap(({ n }) => (n === undefined ? [] : [n]))
const firstNumbers = (count: number) => Array.from({ length: count }, (_, n) => n)

describe('a log whose reader has stopped to read', () => {
  it('keeps no process from its exit', async () => {
    const { process, exited, errors } = logging(
      `${logMany}
       await ended
       process.exit(7)`,
    )
    await until(() => errors() === 'logged')
    process.stdin.end()
    expect((await exited)[0]).toBe(7)
  })

  it('keeps 16 MB, and counts the lines that it lost until the reader reads again', async () => {
    const { errors } = logging(
      `${logMany}
       await ended`,
    )
    await until(() => errors() === 'logged')
    const lines = await readLines(({ lost }) => lost !== undefined, atOnce)
    const kept = numbersOf(lines)
    expect(kept).toEqual(firstNumbers(kept.length))
    expect(kept.length * 500).toBeLessThan(17_000_000)
    expect(lines.at(-1)?.lost).toBe(40_000 - kept.length)
  })

  it('continues when the reader reads again', async () => {
    const { process, exited, errors } = logging(
      `${logMany}
       await ended
       log.info({ n: -1 }, 'the last line')
       process.exit(7)`,
    )
    await until(() => errors() === 'logged')
    await readLines(({ lost }) => lost !== undefined, atOnce)
    process.stdin.end()
    expect(numbersOf(await readLines(({ n }) => n === -1, atOnce))).toEqual([-1])
    expect((await exited)[0]).toBe(7)
  })
})

describe('a log whose reader is gone', () => {
  it('keeps no process from its exit', async () => {
    const { process, exited, errors } = logging(
      `${logMany}
       await ended
       log.info('a line')
       process.exit(7)`,
    )
    await until(() => errors() === 'logged')
    await reader.close()
    process.stdin.end()
    expect((await exited)[0]).toBe(7)
  })
})

describe('a log whose reader is slow', () => {
  it('has every line in its order when the process exits', async () => {
    const { exited } = logging(
      `for (let n = 0; n < 2_000; n += 1) log.info({ n }, 'x'.repeat(420))
       setTimeout(() => process.exit(7), 300)`,
    )
    const lines = await readLines(() => false, { bytes: 20_000, pauseMs: 30 })
    expect(numbersOf(lines)).toEqual(firstNumbers(2_000))
    expect((await exited)[0]).toBe(7)
  })
})
