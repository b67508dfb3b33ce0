import { execFile } from 'node:child_process'
import { chown, readFile, readlink, realpath, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** The content of `postmaster.pid`, which a running server writes. */
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
 * Whether process `pid` is the server of this cluster. After a crash the file has the id of a
 * process that ended. Another process may have that id by now; in a container this is almost
 * certain.
 */
export async function isServerOf(cluster: string, pid: number): Promise<boolean> {
  if (!isAlive(pid)) return false
  if (process.platform === 'linux') {
    // The working directory of a server is its cluster. If the link is not readable, the process
    // belongs to another account.
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
 * Replaces the process id in `postmaster.pid` by an id that no process has. PostgreSQL refuses to
 * start if the recorded id belongs to any living process of its account. The rest of the file
 * stays: PostgreSQL uses it to find processes of the crashed server that still use its shared
 * memory.
 *
 * The new content goes to `aside`, on the same file system, and is renamed. A crash then never
 * leaves an empty or partial `postmaster.pid`.
 */
export async function markStale(cluster: string, aside: string): Promise<void> {
  const file = join(cluster, 'postmaster.pid')
  const [, ...rest] = (await readFile(file, 'utf8')).split('\n')
  const { uid, gid, mode } = await stat(file)
  await writeFile(aside, [2 ** 31 - 1, ...rest].join('\n'), { mode, flush: true })
  // If root runs this, the server's account still owns the file.
  if (process.getuid?.() === 0) await chown(aside, uid, gid)
  await rename(aside, file)
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
