import { execFile } from 'node:child_process'
import { readFile, readlink, realpath, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** What a running server writes into `postmaster.pid`. */
export interface PostmasterFile {
  readonly pid: number
  readonly port: number
  readonly status: string
}

export async function readPostmasterFile(cluster: string): Promise<PostmasterFile | null> {
  const text = await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return ''
      throw error
    },
  )
  const [pid, , , port, , , , status] = text.split('\n')
  return pid ? { pid: Number(pid), port: Number(port), status: status?.trim() ?? '' } : null
}

/**
 * Whether process `pid` is the server of this cluster. After a crash the file names a process that
 * is gone, and its number may be somebody else's by now (in a container nearly always).
 */
export async function isServerOf(cluster: string, pid: number): Promise<boolean> {
  if (!isAlive(pid)) return false
  if (process.platform === 'linux') {
    // A server works in its cluster's directory. Who may not look is another account's process.
    const directory = await readlink(`/proc/${pid}/cwd`).catch(() => null)
    return directory !== null && directory === (await realpath(cluster).catch(() => null))
  }
  if (process.platform === 'win32') return true
  const command = await promisify(execFile)('ps', ['-o', 'command=', '-p', String(pid)]).catch(
    () => ({ stdout: '' }),
  )
  return command.stdout.includes('postgres') && command.stdout.includes(cluster)
}

/**
 * Postgres takes any living process of its own account under the recorded number for a server and
 * refuses to start. The number is replaced by one that no process has; the rest of the file stays,
 * because Postgres finds by it whether processes of the crashed server still use its memory.
 */
export async function markStale(cluster: string): Promise<void> {
  const file = join(cluster, 'postmaster.pid')
  const [, ...rest] = (await readFile(file, 'utf8')).split('\n')
  await writeFile(file, [2 ** 31 - 1, ...rest].join('\n'))
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
