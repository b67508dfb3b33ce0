import { realpath } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { StartupError } from '#services/foundation/startup-error'
import { unfinished, type DataDirectory } from './data-directory.ts'
import {
  isServerOf,
  markStale,
  readPostmasterFile,
  type PostmasterFile,
} from './postmaster-file.ts'
import { ownerIsAlive } from './server-owner.ts'

/** The name of the only account in an embedded server; it may do everything there. */
export const superuser = 'billing'

/**
 * The port of a server that already runs over this data and belongs to a living process: an
 * operator's command beside the product. Otherwise null, with the way made free: a number left by a
 * crash is put out of force, and an orphan (its owner was killed where the kernel could not tell
 * it) is shut down, because nobody would ever stop it.
 */
export async function findRunningServer(data: DataDirectory): Promise<{ port: number } | null> {
  for (;;) {
    const file = await readPostmasterFile(data.cluster)
    if (!file) return null
    if (!(await isServerOf(data.cluster, file.pid))) {
      await markStale(data.cluster, unfinished(data.path, 'postmaster.pid'))
      return null
    }
    const answer = await askWhoItIs(data, file)
    if (answer === 'not ready') {
      await sleep(50)
      continue
    }
    if (answer.directory !== (await realpath(data.cluster))) {
      throw new StartupError(
        `Process ${file.pid} works in ${data.cluster}, but the PostgreSQL on its port ${file.port} serves ${answer.directory}: ` +
          'stop that process, or set DATA_DIR to another directory.',
      )
    }
    if (await ownerIsAlive(answer.owner)) return { port: file.port }
    await shutDown(data, file.pid)
    return null
  }
}

/** Ends a server that is not our child: no new sessions, the present ones rolled back, all data flushed. */
async function shutDown(data: DataDirectory, pid: number): Promise<void> {
  const deadline = Date.now() + 30_000
  process.kill(pid, 'SIGINT')
  while (await isServerOf(data.cluster, pid)) {
    if (Date.now() > deadline) {
      throw new StartupError(
        `A PostgreSQL left over from a crash (process ${pid}) does not stop: end it with "kill -QUIT ${pid}" and start again.`,
      )
    }
    await sleep(20)
  }
}

async function askWhoItIs(
  data: DataDirectory,
  file: PostmasterFile,
): Promise<'not ready' | { directory: string; owner: string }> {
  // While it starts, the file has no port yet; while it starts or stops, it turns sessions away.
  if (!file.port || file.status !== 'ready') return 'not ready'
  const client = new pg.Client({
    host: '127.0.0.1',
    port: file.port,
    user: superuser,
    password: data.password,
    database: 'postgres',
  })
  client.on('error', () => undefined) // A server that stops in the middle is 'not ready', said by the query.
  try {
    await client.connect()
    const { rows } = await client.query<{ directory: string; owner: string }>(
      `SELECT current_setting('data_directory') AS directory, current_setting('cluster_name') AS owner`,
    )
    return rows[0] ?? 'not ready'
  } catch (error) {
    if ((error as { code?: string }).code === '28P01') {
      throw new StartupError(
        `A PostgreSQL (process ${file.pid}) already serves ${data.cluster} and does not know the password in ${data.path}: stop it and start again.`,
      )
    }
    return 'not ready'
  } finally {
    await client.end().catch(() => undefined)
  }
}
