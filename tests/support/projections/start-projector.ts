import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export interface ProjectorProcess {
  /** The number of events that the process has projected. */
  projected(): number
  signal(signal: NodeJS.Signals): void
  /** Kills the process with SIGKILL. Resolves when the process has ended. */
  kill(): Promise<void>
}

export interface ProjectorProcessOptions {
  readonly model: string
  readonly connectionString: string
  /** The connection for lease and rows, if it differs from the connection of the log. */
  readonly leaseUrl?: string
  readonly maxBatchSize?: number
  /** Milliseconds that each transaction stays open after its rows are written. */
  readonly pauseMs?: number
}

/** Starts a projector in a separate process. Resolves when the projector runs. */
export async function startProjectorProcess(
  options: ProjectorProcessOptions,
): Promise<ProjectorProcess> {
  const {
    model,
    connectionString,
    leaseUrl = connectionString,
    maxBatchSize = 1_000,
    pauseMs = 0,
  } = options
  const script = fileURLToPath(new URL('projector-process.ts', import.meta.url))
  const args = [model, leaseUrl, connectionString, String(maxBatchSize), String(pauseMs)]
  const child = fork(script, args, {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const gone = once(child, 'exit')
  let count = 0
  const ready = new Promise<void>((resolve) =>
    child.on('message', (message) => {
      if (message === 'ready') resolve()
      if (typeof message === 'number') count += message
    }),
  )
  const ended = gone.then(([code]) =>
    Promise.reject(
      new Error(`The projector process ended with code ${String(code)} before the projector ran.`),
    ),
  )
  ended.catch(() => undefined)
  await Promise.race([ready, ended])
  return {
    projected: () => count,
    signal: (signal) => void child.kill(signal),
    async kill() {
      child.kill('SIGKILL')
      await gone
    },
  }
}
