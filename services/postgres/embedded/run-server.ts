import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chown, open, readFile, rename, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DataDirectory } from './data-directory.ts'
import { executable } from './find-binaries.ts'
import { readPostmasterFile } from './postmaster-file.ts'
import { ownerName } from './server-owner.ts'
import { cannotSwitch, commandAs } from './server-user.ts'

export interface RunningServer {
  readonly port: number
  readonly process: ChildProcess
}

/** A failed start, with the output of the server. */
export interface FailedStart {
  readonly output: string
}

/**
 * Starts the server as a child process and waits until it accepts connections, without a time limit
 * for a recovery.
 */
export async function runServer(
  data: DataDirectory,
  native: string,
  { port = 0, fsync, log }: { port?: number; fsync: boolean; log: (line: string) => void },
): Promise<RunningServer | FailedStart> {
  const chosenPort = port || (await freePort())
  const startsAt = await rotateLog(data.logFile)
  const logFile = await open(data.logFile, 'a', 0o600)
  if (data.user) await chown(data.logFile, data.user.uid, data.user.gid)
  const command = commandAs(
    data.user,
    executable(native, 'postgres'),
    ['-D', data.cluster, ...(await settings(chosenPort, fsync))],
    true,
  )
  // Detached: Ctrl-C reaches every process of the terminal's group, and the database must run until
  // requests have finished.
  const child = spawn(command.program, command.args, {
    ...command.options,
    cwd: data.path,
    detached: true,
    stdio: ['ignore', logFile.fd, logFile.fd],
  })
  const failed = once(child, 'error').then(([error]) => error as NodeJS.ErrnoException)
  try {
    if (!child.pid) throw await failed
    await untilReady(data, child, chosenPort, log)
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'EPERM' ? cannotSwitch(data.user) : error
  } finally {
    await logFile.close()
  }
  if (hasEnded(child))
    return { output: (await readFile(data.logFile)).subarray(startsAt).toString('utf8') }
  // The child does not keep this process alive, even if the caller does not stop it.
  child.unref()
  return { port: chosenPort, process: child }
}

export const hasEnded = (child: ChildProcess): boolean =>
  child.exitCode !== null || child.signalCode !== null

async function settings(port: number, fsync: boolean): Promise<string[]> {
  const values: Record<string, string | number> = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    cluster_name: await ownerName(),
    max_connections: 200,
    shared_buffers: '256MB',
    max_wal_size: '2GB',
    // JIT compilation costs more than these short queries take.
    jit: 'off',
    // A page of a list merges one scan per class. Parallel workers would start for each scan.
    max_parallel_workers_per_gather: 0,
    // For SSDs. At the default of 4, searches over many rows read whole tables.
    random_page_cost: 1.1,
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    // Logs only the server's own problems. Clients log their errors themselves.
    log_min_messages: 'warning',
    log_min_error_statement: 'panic',
    ...(fsync ? {} : { fsync: 'off', full_page_writes: 'off' }),
  }
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

async function untilReady(
  data: DataDirectory,
  child: ChildProcess,
  port: number,
  log: (line: string) => void,
): Promise<void> {
  const began = Date.now()
  let reportedSeconds = 0
  while (!hasEnded(child)) {
    const file = await readPostmasterFile(data.cluster)
    if (file?.pid === child.pid && file?.port === port && file.status === 'ready') return
    const seconds = Math.floor((Date.now() - began) / 1000)
    if (seconds >= reportedSeconds + 10) {
      reportedSeconds = seconds
      log(
        `PostgreSQL is still starting (${seconds} s so far). After a crash it first replays its write-ahead log.`,
      )
    }
    await sleep(10)
  }
}

/**
 * Rotates a log above 5 MB and keeps one old file. Returns the byte offset at which this run's log
 * starts.
 */
async function rotateLog(file: string): Promise<number> {
  const size = await stat(file).then(
    (stats) => stats.size,
    () => 0,
  )
  if (size < 5_000_000) return size
  await rename(file, `${file}.1`)
  return 0
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  if (address === null || typeof address === 'string')
    throw new Error('The system assigned no port on 127.0.0.1. Start again.')
  return address.port
}
