import { once } from 'node:events'
import { setTimeout as sleepFor } from 'node:timers/promises'
import { growingPauses } from '#services/foundation/growing-pauses'
import { createOutageLog, type OutageLog } from '#services/foundation/outage-log'
import { repeat, sleep, type Sleep } from '#services/foundation/repeat'
import { StartupError } from '#services/foundation/startup-error'
import { prepareDataDirectory, type DataDirectory } from './embedded/data-directory.ts'
import {
  explainServerFailure,
  isPortTaken,
  isStillLocked,
} from './embedded/explain-server-failure.ts'
import { findRunningServer, superuser } from './embedded/find-running-server.ts'
import { initialiseCluster } from './embedded/initialise-cluster.ts'
import { provideBinaries } from './embedded/provide-binaries.ts'
import { hasEnded, runServer, type RunningServer } from './embedded/run-server.ts'

export interface EmbeddedPostgresOptions {
  /** Made when missing. Everything is kept in it, mode 0700. */
  readonly dataDir: string
  /** On 127.0.0.1; a free one when left out. */
  readonly port?: number
  /** `false` trades every committed transaction for speed when the machine stops: for tests only. */
  readonly fsync?: boolean
  /** Told in whole sentences what an operator should know: where things went, a recovery, a restart. */
  readonly log?: (line: string) => void
  /** How the pauses between restarts pass: for tests only. */
  readonly sleep?: Sleep
}

export interface EmbeddedPostgres {
  connectionString(database: string): string
  /** Where the data really is: elsewhere than asked for if the server's account could not reach that. */
  readonly dataDir: string
  /** Shuts the server down and waits until it is gone. A server that another process runs goes on. */
  stop(): Promise<void>
}

interface Launch {
  readonly data: DataDirectory
  readonly native: string
  readonly fsync: boolean
  readonly log: (line: string) => void
  readonly sleep: Sleep
}

/**
 * Starts the PostgreSQL that npm installed, or joins the one that another living process runs over
 * the same data. Durable: a committed transaction survives a kill -9 of anything at any moment.
 * A server that dies by itself comes back on the same port, and so does one whose owner leaves
 * while we are its guest: from then on it is ours.
 * @throws StartupError whenever the user can mend the cause.
 */
export async function startEmbeddedPostgres(
  options: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const { fsync = true, log = () => undefined } = options
  const data = await prepareDataDirectory(options.dataDir, log)
  const launch: Launch = {
    data,
    native: await provideBinaries(data.user, log),
    fsync,
    log,
    sleep: options.sleep ?? sleep,
  }
  await initialiseCluster(data, launch.native, fsync)
  const server = await startOrJoin(launch, options.port)
  return {
    connectionString: (database) =>
      `postgres://${superuser}:${data.password}@127.0.0.1:${server.port}/${encodeURIComponent(database)}`,
    dataDir: data.path,
    stop: 'process' in server ? keepRunning(server, launch) : standIn(server.port, launch),
  }
}

async function startOrJoin(
  launch: Launch,
  port?: number,
): Promise<RunningServer | { port: number }> {
  const deadline = Date.now() + 5_000
  for (;;) {
    const running = await findRunningServer(launch.data)
    if (running) return running
    const started = await runServer(launch.data, launch.native, {
      ...launch,
      ...(port && { port }),
    })
    if ('process' in started) return started
    const { output } = started
    const worthAnotherTry = isStillLocked(output) || (isPortTaken(output) && !port)
    if (!worthAnotherTry || Date.now() > deadline) {
      throw isPortTaken(output) && port
        ? new StartupError(
            `Port ${port} on 127.0.0.1 is taken, and the embedded PostgreSQL needs it: stop what uses it and start again.`,
          )
        : explainServerFailure(output, launch.data)
    }
    await sleepFor(100)
  }
}

const lookAfterMs = 1_000
/** Each start after a crash recovers first, which costs much: while starts fail, they become rare. */
const retryLimits = { firstMs: 5_000, longestMs: 30_000 }
/** A server that lives so long is no longer taken for one that dies at every start. */
const stableAfterMs = 60_000

/** Failed starts, in whole sentences. */
function startFailures({ log }: Launch): OutageLog {
  return createOutageLog(
    {
      warn: ({ failure }, sentence) =>
        log(failure === undefined ? sentence : `${failure.message} ${sentence}`),
    },
    {
      began: 'The start is retried with growing pauses of at most 30 seconds.',
      lasts: 'The start is still retried.',
      over: 'The embedded PostgreSQL answers again.',
    },
  )
}

/** A guest's watch: the owner may be an operator's command that ends while the product runs. */
function standIn(port: number, launch: Launch): () => Promise<void> {
  let stopOwn: (() => Promise<void>) | undefined
  const stopped = new AbortController()
  const watching = repeat(takeOverIfGone, {
    everyMs: lookAfterMs,
    pauses: growingPauses(retryLimits),
    outage: startFailures(launch),
    signal: stopped.signal,
    // A process that does nothing else may end.
    sleep: (milliseconds, signal) =>
      sleepFor(milliseconds, undefined, { signal, ref: false }).catch(() => undefined),
  })

  async function takeOverIfGone(): Promise<void> {
    const server = await startOrJoin(launch, port)
    if (!('process' in server)) return
    stopOwn = keepRunning(server, launch)
    launch.log(
      'The process that ran the embedded PostgreSQL has ended; it runs under this one now.',
    )
    stopped.abort()
  }

  return async () => {
    stopped.abort()
    await watching
    await stopOwn?.()
  }
}

/** Watches over the server until the function that it gives back is called, which stops the server. */
function keepRunning(first: RunningServer, launch: Launch): () => Promise<void> {
  let current = first
  let startedAt = performance.now()
  let restarting: Promise<void> | undefined
  const stopped = new AbortController()
  const pauses = growingPauses(retryLimits)

  const onExit = (): void => {
    current.process.kill('SIGINT')
  }
  process.on('exit', onExit)
  watch()

  function watch(): void {
    current.process.once('exit', (code, signal) => {
      if (!stopped.signal.aborted) restarting = restart(`${signal ?? `code ${code}`}`)
    })
  }

  /** At once, unless the server died soon after its last restart, too. */
  async function restart(why: string): Promise<void> {
    launch.log(`The embedded PostgreSQL ended unexpectedly (${why}) and is being restarted.`)
    const failures = startFailures(launch)
    const isStable = current === first || performance.now() - startedAt >= stableAfterMs
    if (isStable) pauses.reset()
    else await launch.sleep(pauses.next(), stopped.signal)
    while (!stopped.signal.aborted) {
      try {
        const server = await startOrJoin(launch, first.port)
        if (!('process' in server)) return
        current = server
        startedAt = performance.now()
        if (stopped.signal.aborted) return
        launch.log('The embedded PostgreSQL is back.')
        return watch()
      } catch (error) {
        failures.failed(error)
        await launch.sleep(pauses.next(), stopped.signal)
      }
    }
  }

  async function stop(): Promise<void> {
    stopped.abort()
    await restarting
    await shutDown(current)
    process.off('exit', onExit)
  }

  let stopping: Promise<void> | undefined
  return () => (stopping ??= stop())
}

/** Fast shutdown: sessions are rolled back and everything is flushed. One that hangs is cut off, which costs only a recovery. */
async function shutDown({ process: server }: RunningServer): Promise<void> {
  if (hasEnded(server)) return
  server.ref()
  const ended = once(server, 'exit')
  server.kill('SIGINT')
  const cutOff = setTimeout(() => server.kill('SIGQUIT'), 30_000)
  await ended
  clearTimeout(cutOff)
}
