import { writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DestinationStream } from 'pino'
import { createWaitingLines } from './waiting-lines.ts'

/** What waits for a slow or stopped reader, in UTF-16 code units: about 16 MB. */
const maxWaiting = 16_000_000
/** After a failed write, the lines of this time are not written. Milliseconds. */
const pauseMs = 1_000
/** A full pipe is tried again after this time, while its reader reads. Milliseconds. */
const retryMs = 10
/** A reader that takes nothing for this time has stopped. No exit waits for it. Milliseconds. */
const stoppedAfterMs = 2_000
/** The pipe of a stopped reader is tried again after this time. Milliseconds. */
const stoppedRetryMs = 100
/** An exit waits this long for a slow reader. Milliseconds. */
const exitMs = 5_000

/** The codes of a write that succeeds later, when the reader has read. */
const fullCodes: ReadonlySet<string | undefined> = new Set(['EAGAIN', 'EBUSY'])

/** A text that is being written. */
interface TextInProgress {
  /** What is not written yet. */
  readonly rest: Buffer
  readonly lines: number
}

interface OpenDestination {
  /** Whether lines wait for a reader that reads. */
  isBusy(): boolean
  writeAtExit(): void
}

/** One listener for all of them: Node.js warns about more than ten listeners of `exit`. */
const destinations: OpenDestination[] = []

function register(destination: OpenDestination): void {
  if (destinations.length === 0)
    process.on('exit', () => destinations.forEach((each) => each.writeAtExit()))
  destinations.push(destination)
}

/**
 * Resolves when the lines of all destinations are written, or do not become written: the reader of
 * a pipe has stopped, or is too slow. Await it before an exit, which blocks the process while it
 * waits for a slow reader.
 */
export async function logWritten(): Promise<void> {
  const deadline = performance.now() + exitMs
  while (destinations.some((each) => each.isBusy()) && performance.now() < deadline)
    await sleep(retryMs)
}

/**
 * Writes log lines to a file descriptor, standard output by default. If the disk is full, or the
 * reader of a pipe is gone or reads nothing, the process continues and ends without its log. When
 * lines can be written again, the log continues, and a line has the number of lost lines.
 *
 * Replaces pino's destination, which keeps all lines for a reader that reads nothing, and whose
 * exit repeats a failed write for ever.
 * @param format of each line; pino's JSON by default
 */
export function logDestination(
  fd = 1,
  format: (line: string) => string = (line) => line,
): DestinationStream {
  makePipeNonBlocking(fd)
  const waiting = createWaitingLines(maxWaiting, format)
  let current: TextInProgress | null = null
  let retry: NodeJS.Timeout | undefined
  /** The first try since the last written byte that found the pipe full. */
  let fullSince: number | null = null
  let failedAt: number | null = null

  function take(): Buffer | null {
    const chunk = current === null ? waiting.next() : null
    if (chunk !== null) current = { rest: Buffer.from(chunk.text), lines: chunk.lines }
    return current?.rest ?? null
  }

  function wrote(bytes: number): void {
    fullSince = null
    if (current === null) return
    const rest = current.rest.subarray(bytes)
    current = rest.length === 0 ? null : { ...current, rest }
  }

  function failed({ code }: NodeJS.ErrnoException): 'full' | 'failed' {
    if (fullCodes.has(code)) {
      fullSince ??= performance.now()
      return 'full'
    }
    failedAt = performance.now()
    waiting.lose(current?.lines ?? 0)
    waiting.loseAll()
    current = null
    return 'failed'
  }

  /** Synchronous, so that an exit knows what is written. A full pipe does not block it. */
  function writeNext(): void {
    for (let text = take(); text !== null; text = take()) {
      try {
        wrote(writeSync(fd, text))
      } catch (error) {
        if (failed(error as NodeJS.ErrnoException) === 'full') retryLater()
        return
      }
    }
  }

  function retryLater(): void {
    const again = () => {
      retry = undefined
      writeNext()
    }
    retry = setTimeout(again, isStopped() ? stoppedRetryMs : retryMs).unref()
  }

  function isStopped(): boolean {
    return fullSince !== null && performance.now() - fullSince >= stoppedAfterMs
  }

  function writeAtExit(): void {
    const deadline = performance.now() + exitMs
    for (let text = take(); text !== null; text = take()) {
      try {
        wrote(writeSync(fd, text))
      } catch (error) {
        const isFull = failed(error as NodeJS.ErrnoException) === 'full'
        if (!isFull || isStopped() || performance.now() >= deadline) return
        pause(retryMs)
      }
    }
  }

  register({
    isBusy: () => !isStopped() && retry !== undefined,
    writeAtExit,
  })
  return {
    write(line) {
      if (failedAt !== null && performance.now() - failedAt < pauseMs) return waiting.lose(1)
      failedAt = null
      waiting.add(line)
      if (retry === undefined) writeNext()
    },
  }
}

/** The stream makes a pipe non-blocking: a write to a full pipe fails, and blocks no thread. */
function makePipeNonBlocking(fd: number): void {
  if (fd === 1) void process.stdout
  if (fd === 2) void process.stderr
}

function pause(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}
