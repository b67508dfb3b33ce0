import { once } from 'node:events'
import { setTimeout as sleepFor } from 'node:timers/promises'
import { createBackoff } from '#services/foundation/backoff'
import { createOutageLog, type OutageLog } from '#services/foundation/outage-log'
import { repeat } from '#services/foundation/repeat'
import { sleep, type Sleep } from '#services/foundation/sleep'
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
import { readPostmasterFile } from './embedded/postmaster-file.ts'
import { hasEnded, runServer, type RunningServer } from './embedded/run-server.ts'

export interface EmbeddedPostgresOptions {
  /** Created if missing. Holds all files of the server, mode 0700. */
  readonly dataDir: string
  /** On 127.0.0.1. Default: a free port. */
  readonly port?: number
  /** `false` is faster and loses committed transactions if the machine stops. For tests only. */
  readonly fsync?: boolean
  /** Receives sentences for the operator: locations of files, a recovery, a restart. */
  readonly log?: (line: string) => void
  /** Waits between restarts. For tests only. */
  readonly sleep?: Sleep
}

export interface EmbeddedPostgres {
  connectionString(database: string): string
  /**
   * The real data directory. It differs from the option if the server's account cannot reach that.
   */
  readonly dataDir: string
  /** Whether `stop` ends the server: this process runs it. */
  runsServer(): boolean
  /**
   * Shuts the server down and waits until it has ended. A server that another process runs
   * continues.
   */
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
 * Starts the PostgreSQL that npm installed, or joins the server that another process runs on the
 * same data. A committed transaction survives a kill -9 of any process. If the server dies, this
 * process restarts it on the same port. If this process has joined a server and its owner ends,
 * this process starts the server again and becomes its owner.
 * @throws StartupError if the user can solve the problem
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
    ...('process' in server
      ? { runsServer: () => true, stop: keepRunning(server, launch) }
      : watchJoinedServer(server.port, launch)),
  }
}

async function startOrJoin(
  launch: Launch,
  port?: number,
): Promise<RunningServer | { port: number }> {
  const deadline = Date.now() + 5_000
  // The file of a server that crashed. A process that has connections may be about to restart it.
  let crashedPort =
    port === undefined ? (await readPostmasterFile(launch.data.cluster))?.port : null
  for (;;) {
    const running = await findRunningServer(launch.data)
    if (running) return running
    const wanted = port ?? crashedPort
    const started = await runServer(launch.data, launch.native, {
      ...launch,
      ...(wanted && { port: wanted }),
    })
    if ('process' in started) return started
    const { output } = started
    if (isPortTaken(output)) crashedPort = null
    const worthAnotherTry = isStillLocked(output) || (isPortTaken(output) && !port)
    if (!worthAnotherTry || Date.now() > deadline) {
      throw isPortTaken(output) && port
        ? new StartupError(
            `Port ${port} on 127.0.0.1 is taken, and the embedded PostgreSQL needs it. Stop the program that uses it and start again.`,
          )
        : explainServerFailure(output, launch.data)
    }
    await sleepFor(100)
  }
}

const checkEveryMs = 1_000
/**
 * Each start after a crash runs an expensive recovery, so failing starts are retried with backoff.
 */
const retryLimits = { firstMs: 5_000, longestMs: 30_000 }
/** After this time a server counts as stable, and the backoff is reset. */
const stableAfterMs = 60_000

/** Logs failed starts in sentences. */
function startFailures({ log }: Launch): OutageLog {
  return createOutageLog(
    {
      warn: ({ failure }, sentence) =>
        log(failure === undefined ? sentence : `${failure.message} ${sentence}`),
    },
    {
      began: 'The start is retried with backoff of at most 30 s.',
      lasts: 'The start is still retried.',
      over: 'The embedded PostgreSQL answers again.',
    },
  )
}

/**
 * Watches a joined server and takes over when its owner ends. The owner may be an operator's
 * command.
 */
function watchJoinedServer(
  port: number,
  launch: Launch,
): Pick<EmbeddedPostgres, 'runsServer' | 'stop'> {
  let stopOwn: (() => Promise<void>) | undefined
  const stopped = new AbortController()
  const watching = repeat(takeOverIfGone, {
    everyMs: checkEveryMs,
    backoff: createBackoff(retryLimits),
    outage: startFailures(launch),
    signal: stopped.signal,
    // The timer does not keep the process alive.
    sleep: (milliseconds, signal) =>
      sleepFor(milliseconds, undefined, { signal, ref: false }).catch(() => undefined),
  })

  async function takeOverIfGone(): Promise<void> {
    const server = await startOrJoin(launch, port)
    if (!('process' in server)) return
    stopOwn = keepRunning(server, launch)
    launch.log('The process that ran the embedded PostgreSQL has ended; this process runs it now.')
    stopped.abort()
  }

  return {
    runsServer: () => stopOwn !== undefined,
    async stop() {
      stopped.abort()
      await watching
      await stopOwn?.()
    },
  }
}

/** Restarts the server when it dies. The returned function ends this and stops the server. */
function keepRunning(first: RunningServer, launch: Launch): () => Promise<void> {
  let current = first
  let startedAt = performance.now()
  let restarting: Promise<void> | undefined
  const stopped = new AbortController()
  const backoff = createBackoff(retryLimits)

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

  /**
   * Restarts at once, or with backoff if the server died soon after its last restart. If an
   * operator's command started the server meanwhile, restarts it after the end of the command.
   */
  async function restart(why: string): Promise<void> {
    launch.log(`The embedded PostgreSQL ended unexpectedly (${why}) and is being restarted.`)
    const failures = startFailures(launch)
    const isStable = current === first || performance.now() - startedAt >= stableAfterMs
    if (isStable) backoff.reset()
    else await launch.sleep(backoff.next(), stopped.signal)
    let isJoined = false
    while (!stopped.signal.aborted) {
      try {
        const server = await startOrJoin(launch, first.port)
        if (!('process' in server)) {
          if (!isJoined) launch.log(sentenceOfOther(server.port, first.port))
          isJoined = true
          await launch.sleep(checkEveryMs, stopped.signal)
          continue
        }
        current = server
        startedAt = performance.now()
        if (stopped.signal.aborted) return
        launch.log('The embedded PostgreSQL is back.')
        return watch()
      } catch (error) {
        failures.failed(error)
        await launch.sleep(backoff.next(), stopped.signal)
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

function sentenceOfOther(port: number, own: number): string {
  const until =
    port === own
      ? 'and this process uses it'
      : `on port ${port}, and this process waits, because it uses port ${own}`
  return `Another process runs the embedded PostgreSQL ${until}. This process starts it again when the other one ends.`
}

/** A fast shutdown flushes all data. A server that takes longer is ended at once. Milliseconds. */
const fastShutdownMs = 15_000
/** The server kills its processes 5 s after SIGQUIT. After this time it is killed. Milliseconds. */
const immediateShutdownMs = 8_000

/** `stop` takes at most this time, with a reserve. Milliseconds. */
export const longestStopMs = fastShutdownMs + immediateShutdownMs + 2_000

/**
 * Fast shutdown: the server rolls back sessions and flushes all data. A server that does not end is
 * ended at once, then killed; the next start then runs a recovery.
 */
async function shutDown({ process: server }: RunningServer): Promise<void> {
  if (hasEnded(server)) return
  server.ref()
  const ended = once(server, 'exit')
  server.kill('SIGINT')
  const immediate = setTimeout(() => {
    server.kill('SIGQUIT')
    // A stopped server handles no signal. SIGKILL to it would leave its stopped processes, and
    // their shared memory would prevent the next start.
    server.kill('SIGCONT')
  }, fastShutdownMs)
  const kill = setTimeout(() => server.kill('SIGKILL'), fastShutdownMs + immediateShutdownMs)
  await ended
  clearTimeout(immediate)
  clearTimeout(kill)
}
