import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { z } from 'zod'
import { StartupError } from '#services/foundation/startup-error'
import { hostToConnect } from './host-to-connect.ts'

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
 * this process, also after kill -9. `entry` is its main file, `host` the address that it listens
 * on. `onDied` receives the reason if the sandbox ends before `stop`.
 * @throws StartupError with the sandbox's error message if the sandbox cannot start
 */
export async function startSandboxProcess(
  entry: URL,
  host: string,
  env: Readonly<Record<string, string>>,
  onDied: (reason: string) => void,
): Promise<SandboxProcess> {
  const child = fork(entry, [], {
    env: { ...process.env, ...env, SANDBOX_HOST: host },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const { port, smtpPort } = await readiness(child)
  let isStopping = false
  child.once('exit', (code, signal) => {
    if (!isStopping) onDied(`the sandbox ended unexpectedly (${signal ?? `exit code ${code}`})`)
  })
  return {
    url: `http://${hostToConnect(host)}:${port}`,
    smtpUrl: `smtp://${hostToConnect(host)}:${smtpPort}`,
    async stop() {
      isStopping = true
      if (child.exitCode !== null || child.signalCode !== null) return
      const exited = once(child, 'exit')
      // No signal: the sandbox ignores signals while its channel is open, because a supervisor may
      // signal every process at once.
      child.disconnect()
      const cutOff = setTimeout(() => child.kill('SIGKILL'), 5_000)
      await exited
      clearTimeout(cutOff)
    },
  }
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
    child.once('exit', (code, signal) =>
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
