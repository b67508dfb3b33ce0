import { execFile } from 'node:child_process'
import { chown, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { DataDirectory } from './data-directory.ts'
import { explainServerFailure } from './explain-server-failure.ts'
import { executable } from './find-binaries.ts'
import { superuser } from './find-running-server.ts'
import { commandAs } from './server-user.ts'

/**
 * Makes the cluster if there is none: UTF-8, byte order for sorting but Unicode's letters for upper
 * and lower case (built in, so that an upgrade of the system cannot reorder an index), checksums,
 * and a password for every connection.
 */
export async function initialiseCluster(data: DataDirectory, native: string, fsync: boolean): Promise<void> {
  const present = await readdir(data.path)
  if (present.includes('cluster')) return

  // It gets its name only once complete: a start that was killed half-way leaves nothing that looks like a database.
  const unfinished = await mkdtemp(join(data.path, 'unfinished-'))
  if (data.user) await chown(unfinished, data.user.uid, data.user.gid)
  const command = commandAs(data.user, executable(native, 'initdb'), [
    `--pgdata=${unfinished}`,
    `--username=${superuser}`,
    `--pwfile=${join(data.path, 'password')}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    ...(fsync ? [] : ['--no-sync']),
  ], true)
  try {
    await promisify(execFile)(command.program, [...command.args], { ...command.options, cwd: data.path })
    await rename(unfinished, data.cluster)
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true })
    // Another start made it in the meantime.
    if (['ENOTEMPTY', 'EEXIST'].includes(String((error as NodeJS.ErrnoException).code))) return
    throw explainServerFailure(error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error), data)
  }
  await removeUnfinished(data.path, present)
}

async function removeUnfinished(path: string, present: readonly string[]): Promise<void> {
  for (const name of present) {
    if (name.startsWith('unfinished-')) await rm(join(path, name), { recursive: true, force: true })
  }
}
