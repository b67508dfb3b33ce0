import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** A program that is started again whenever it ends, until the world closes. */
export interface Service {
  kill(signal: NodeJS.Signals): void
  /**
   * Resolves when the program answers that it is ready. Each answer that it is not goes to
   * `onNotReady`. @throws Error if it is not within 180 s
   */
  ready(onNotReady?: (answer: string) => void): Promise<void>
  /** The memory of the present process in MB; 0 if it is not known. */
  memory(): number
}

/** The longest time until a program answers after the end of the faults. */
const readyMs = 180_000
/** A start is refused while the database is away. */
const restartMs = 200

/** Starts a program of Node, and starts it again whenever it ends. */
export function keepRunning(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  readyUrl: string,
  onOutput: (chunk: Buffer) => void,
): Service & { end(): Promise<void> } {
  const { PATH, HOME, TMPDIR } = process.env
  let isEnding = false
  let child = start()
  // A run that fails leaves no program behind.
  const onExit = () => void child.kill('SIGKILL')
  process.once('exit', onExit)

  function start(): ChildProcess {
    const started = spawn(process.execPath, args, {
      env: { PATH, HOME, TMPDIR, LOG_LEVEL: 'warn', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [started.stdout, started.stderr]) stream?.on('data', onOutput)
    started.once('exit', () => {
      if (!isEnding) setTimeout(() => (isEnding ? undefined : (child = start())), restartMs)
    })
    return started
  }

  return {
    kill: (signal) => void child.kill(signal),
    memory: () => memoryOf(child.pid),
    async ready(onNotReady = () => undefined) {
      const deadline = performance.now() + readyMs
      for (;;) {
        const answer = await fetch(readyUrl, { signal: AbortSignal.timeout(5_000) }).catch(
          () => null,
        )
        if (answer?.status === 200) return
        const text = answer === null ? 'no answer' : await answer.text().catch(String)
        if (performance.now() > deadline)
          throw new Error(`${readyUrl} was not ready within ${readyMs / 1_000} s: ${text}`)
        onNotReady(text)
        await sleep(100)
      }
    },
    async end() {
      isEnding = true
      process.off('exit', onExit)
      if (child.exitCode !== null || child.signalCode !== null) return
      const exited = once(child, 'exit')
      child.kill('SIGCONT')
      child.kill('SIGTERM')
      const isOver = await Promise.race([
        exited.then(() => true),
        sleep(20_000, false, { ref: false }),
      ])
      if (!isOver) child.kill('SIGKILL')
      await exited
    },
  }
}

/** Only Linux shows the memory of another process without a program. */
function memoryOf(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024)
  } catch {
    return 0
  }
}
