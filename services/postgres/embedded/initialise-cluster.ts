import { execFile } from 'node:child_process'
import { access, chown, mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { unfinished, type DataDirectory } from './data-directory.ts'
import { explainServerFailure } from './explain-server-failure.ts'
import { executable } from './find-binaries.ts'
import { superuser } from './find-running-server.ts'
import { commandAs } from './server-user.ts'

/**
 * Creates the cluster if it does not exist: UTF-8, sorting in byte order, Unicode case mapping,
 * checksums, and a password for every connection. The case mapping is built in, so that a system
 * upgrade cannot reorder an index.
 */
export async function initialiseCluster(
  data: DataDirectory,
  native: string,
  fsync: boolean,
): Promise<void> {
  if (await pathExists(data.cluster)) return

  // The complete cluster is renamed into place, so a killed start leaves nothing that looks like a
  // database.
  const fresh = unfinished(data.path, 'cluster')
  await mkdir(fresh, { mode: 0o700 })
  if (data.user) await chown(fresh, data.user.uid, data.user.gid)
  const command = commandAs(
    data.user,
    executable(native, 'initdb'),
    [
      `--pgdata=${fresh}`,
      `--username=${superuser}`,
      `--pwfile=${join(data.path, 'password')}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      ...(fsync ? [] : ['--no-sync']),
    ],
    true,
  )
  try {
    await promisify(execFile)(command.program, [...command.args], {
      ...command.options,
      cwd: data.path,
    })
    await rename(fresh, data.cluster)
  } catch (error) {
    await rm(fresh, { recursive: true, force: true })
    // Of two concurrent starts, one renames its cluster into place, and the other uses that one.
    if (await pathExists(data.cluster)) return
    throw explainServerFailure(
      error instanceof Error && 'stderr' in error ? String(error.stderr) : String(error),
      data,
    )
  }
}

const pathExists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
