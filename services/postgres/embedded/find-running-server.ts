import { realpath } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { z } from 'zod'
import { clientOptions, databaseLimits } from '#services/foundation/database-limits'
import { oneRow } from '#services/foundation/rows'
import { StartupError } from '#services/foundation/startup-error'
import { unfinished, type DataDirectory } from './data-directory.ts'
import {
  isServerOf,
  markStale,
  readPostmasterFile,
  type PostmasterFile,
} from './postmaster-file.ts'
import { ownerIsAlive } from './server-owner.ts'

/** The only account of an embedded server, a superuser. */
export const superuser = 'billing'

/** A server that neither answers nor refuses for this time is frozen. Milliseconds. */
const frozenAfterMs = 30_000

const serverRow = z.object({ directory: z.string(), owner: z.string() })

/**
 * The port of a server that already runs on this data and whose owner process lives, such as an
 * operator's command beside the product. Otherwise null, and a new server can start. The function
 * replaces the process id of a crashed server (`markStale`). It shuts down an orphan: a server
 * whose owner was killed on a system without `setpriv`.
 * @throws StartupError if the server is frozen, or is not that of this data
 */
export async function findRunningServer(
  data: DataDirectory,
  limitMs = frozenAfterMs,
): Promise<{ port: number } | null> {
  let silentSince: number | null = null
  for (;;) {
    const file = await readPostmasterFile(data.cluster)
    if (!file) return null
    if (!(await isServerOf(data.cluster, file.pid))) {
      await markStale(data.cluster, unfinished(data.path, 'postmaster.pid'))
      return null
    }
    const askedAt = performance.now()
    const answer = await askWhoItIs(data, file, limitMs)
    if (answer === 'no answer') {
      silentSince ??= askedAt
      if (performance.now() - silentSince >= limitMs)
        throw new StartupError(
          `The PostgreSQL that serves ${data.cluster} (process ${file.pid}) does not answer. Resume this process and its children with "kill -CONT", or end all of them with "kill -KILL", and start again.`,
        )
      continue
    }
    silentSince = null
    if (answer === 'not ready') {
      await sleep(50)
      continue
    }
    if (answer.directory !== (await realpath(data.cluster))) {
      throw new StartupError(
        `Process ${file.pid} runs in ${data.cluster}, but the PostgreSQL on its port ${file.port} serves ${answer.directory}. ` +
          'Stop that process, or set DATA_DIR to another directory.',
      )
    }
    if (await ownerIsAlive(answer.owner)) return { port: file.port }
    await shutDown(data, file.pid)
    return null
  }
}

/**
 * Fast shutdown of a server that is not a child of this process: rolls back sessions and flushes
 * all data.
 */
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
  limitMs: number,
): Promise<'not ready' | 'no answer' | { directory: string; owner: string }> {
  // During its start the file has no port yet. During start and stop the server refuses sessions.
  if (!file.port || file.status !== 'ready') return 'not ready'
  const client = new pg.Client({
    host: '127.0.0.1',
    port: file.port,
    user: superuser,
    password: data.password,
    database: 'postgres',
    ...clientOptions(databaseLimits.questions),
    connectionTimeoutMillis: Math.min(limitMs, databaseLimits.questions.connectMs),
  })
  client.on('error', () => undefined) // If the server stops, the query fails and the result is 'not ready'.
  try {
    await client.connect()
    return await oneRow(
      client,
      serverRow,
      `SELECT current_setting('data_directory') AS directory, current_setting('cluster_name') AS owner`,
    )
  } catch (error) {
    if ((error as { code?: string }).code === '28P01') {
      throw new StartupError(
        `A PostgreSQL (process ${file.pid}) already serves ${data.cluster} and does not know the password in ${data.path}: stop it and start again.`,
      )
    }
    return /timeout/i.test((error as Error).message) ? 'no answer' : 'not ready'
  } finally {
    await client.end().catch(() => undefined)
  }
}
