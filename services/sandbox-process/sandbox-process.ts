import { fork, type ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Logger } from 'pino'
import { z } from 'zod'
import { createBackoff } from '#services/foundation/backoff'
import { errorMessage } from '#services/foundation/error-message'
import { logDestination } from '#services/foundation/log-destination'
import { logFormat } from '#services/foundation/terminal-line'
import { sleep } from '#services/foundation/sleep'
import { StartupError } from '#services/foundation/startup-error'
import { hostToConnect } from '#services/foundation/host-to-connect'

const restartLimits = { firstMs: 500, longestMs: 10_000 }

const message = z.union([
  z.object({ ready: z.literal(true), port: z.int(), smtpPort: z.int() }),
  z.object({ error: z.string(), database: z.enum(['taken', 'unreachable']).optional() }),
])

/** The product creates the sandbox's database, so the product names the setting to change. */
const remedies = {
  taken:
    'Stop the other product, or set another DATA_DIR (another DATABASE_URL if it is set) for this one.',
  unreachable: 'Check DATABASE_URL.',
}

export interface SandboxProcess {
  readonly url: string
  readonly smtpUrl: string
  stop(): Promise<void>
}

/**
 * Starts the sandbox as a separate process. The sandbox watches the IPC channel, so it ends with
 * this process, also after kill -9. If it ends before `stop`, it is started again at the same
 * addresses, until that succeeds. `entry` is its main file, `host` the address that it listens on.
 * @throws StartupError with the sandbox's error message if the sandbox cannot start
 */
export async function startSandboxProcess(
  entry: URL,
  host: string,
  env: Readonly<Record<string, string>>,
  log: Pick<Logger, 'error' | 'info'>,
  isProduction: boolean,
): Promise<SandboxProcess> {
  const stopping = new AbortController()
  const { signal } = stopping
  // The sandbox writes JSON to its pipe, which this process writes to its terminal as text.
  const output = logDestination(2, logFormat(2, isProduction))
  let child = launch(env)
  const { port, smtpPort } = await readiness(child)
  const ports = { SANDBOX_PORT: String(port), SANDBOX_SMTP_PORT: String(smtpPort) }
  const watch = keepRunning()

  function launch(settings: Readonly<Record<string, string>>): ChildProcess {
    const launched = fork(entry, [], {
      env: { ...process.env, ...settings, SANDBOX_HOST: host },
      // A start and an end of a child make an inherited pipe blocking, for this process as well.
      // A write to a full pipe then lasts until the reader reads. The sandbox prints only errors.
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    })
    if (launched.stderr !== null)
      createInterface({ input: launched.stderr }).on('line', (line) => output.write(`${line}\n`))
    return launched
  }

  async function keepRunning(): Promise<void> {
    const backoff = createBackoff(restartLimits)
    for (;;) {
      await ended(child)
      if (signal.aborted) return
      const reason = `It ended unexpectedly (${child.signalCode ?? `exit code ${child.exitCode}`}).`
      const againInMs = backoff.next()
      log.error(
        { reason, againInMs },
        'The sandbox ended. It is started again; mails and payments wait.',
      )
      await sleep(againInMs, signal)
      if (signal.aborted) return
      child = launch({ ...env, ...ports })
      try {
        await readiness(child)
        log.info({ port }, 'The sandbox runs again.')
      } catch (error) {
        // `stop` ends a sandbox that is starting, too.
        if (!signal.aborted)
          log.error({ reason: errorMessage(error) }, 'The sandbox could not be started again.')
        child.kill('SIGKILL')
      }
    }
  }

  return {
    url: `http://${hostToConnect(host)}:${port}`,
    smtpUrl: `smtp://${hostToConnect(host)}:${smtpPort}`,
    async stop() {
      stopping.abort()
      // No signal: the sandbox ignores signals while its channel is open, because a supervisor may
      // signal every process at once.
      if (child.connected) child.disconnect()
      const cutOff = setTimeout(() => child.kill('SIGKILL'), 5_000)
      await watch
      clearTimeout(cutOff)
    },
  }
}

function ended(child: ChildProcess): Promise<void> {
  const hasEnded = child.pid === undefined || child.exitCode !== null || child.signalCode !== null
  return hasEnded
    ? Promise.resolve()
    : new Promise((resolve) => child.once('exit', () => resolve()))
}

function readiness(child: ChildProcess): Promise<{ port: number; smtpPort: number }> {
  return new Promise((resolve, reject) => {
    child.once('message', (raw) => {
      const parsed = message.safeParse(raw)
      if (parsed.success && 'ready' in parsed.data) resolve(parsed.data)
      else
        reject(
          new StartupError(
            parsed.success && 'error' in parsed.data
              ? sentenceOf(parsed.data)
              : 'The sandbox sent an unknown message. Install this release again.',
          ),
        )
    })
    child.once('error', reject)
    // `close` follows `exit` when the output has been read.
    child.once('close', (code, signal) =>
      reject(
        new StartupError(
          `The sandbox did not start (${signal ?? `exit code ${code}`}). Its output above has the reason.`,
        ),
      ),
    )
  })
}

function sentenceOf({
  error,
  database,
}: {
  error: string
  database?: keyof typeof remedies | undefined
}): string {
  return database === undefined ? error : `${error} ${remedies[database]}`
}
