import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export interface ProjectorProcess {
  /** Events that it has projected so far. */
  projected(): number
  signal(signal: NodeJS.Signals): void
  /** Ends it for good; resolves when it is gone. */
  kill(): Promise<void>
}

export interface ProjectorProcessOptions {
  readonly model: string
  readonly connectionString: string
  /** Where the projector connects to for lease and rows, when that is somewhere else than the log. */
  readonly leaseUrl?: string
  readonly maxBatchSize?: number
  /** How long each transaction stays open with its rows written. */
  readonly pauseMs?: number
}

/** A projector in a process of its own. Resolves once it runs. */
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
    Promise.reject(new Error(`The projector process ended with ${String(code)} before it ran.`)),
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
