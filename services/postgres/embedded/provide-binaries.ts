import { chmod, cp, lstat, mkdtemp, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { StartupError } from '#services/foundation/startup-error'
import { executable, findInstalledBinaries } from './find-binaries.ts'
import { makeLibraryLinks } from './make-library-links.ts'
import { nameOf, testAs, type ServerUser } from './server-user.ts'

/**
 * A `native` directory whose programs `user` can run: the installed directory, or a copy in
 * `copies`. The copy is needed if root's home is closed to other accounts, or node_modules is
 * read-only.
 */
export async function provideBinaries(
  user: ServerUser,
  log: (line: string) => void,
  { installed = findInstalledBinaries(), copies = '/var/tmp' } = {},
): Promise<string> {
  const linked = await makeLibraryLinks(installed).then(
    () => true,
    () => false,
  )
  if (linked && canRun(user, installed)) return installed

  const copy = await copyOf(installed, copies)
  if (!canRun(user, copy)) {
    throw new StartupError(
      `The PostgreSQL that npm installed does not run on this system (tried ${executable(installed, 'postgres')} and a copy in ${copy} ` +
        `as ${nameOf(user)}). Set DATABASE_URL to another PostgreSQL.`,
    )
  }
  log(
    `PostgreSQL runs from a copy of its programs in ${copy}, because ${nameOf(user)} cannot use the programs in ${installed}.`,
  )
  return copy
}

function canRun(user: ServerUser, native: string): boolean {
  if (process.platform === 'win32') return true
  return testAs(
    user,
    'test -r "$1" && exec "$2" --version',
    join(native, 'share/postgresql/postgres.bki'),
    executable(native, 'postgres'),
  )
}

const packageFile = z.object({ version: z.string() })

// The name has the version and the user id, so that starts from all checkouts share one copy.
async function copyOf(installed: string, copies: string): Promise<string> {
  const { version } = packageFile.parse(
    JSON.parse(await readFile(join(installed, '../package.json'), 'utf8')),
  )
  const copy = join(copies, `agile-receivables-postgres-${version}-${process.getuid?.() ?? 0}`)
  if (await isCompleteCopy(installed, copy)) return join(copy, 'native')

  const fresh = await mkdtemp(`${copy}.`)
  // The copy must be readable for the server's account, even if npm installed under a strict umask.
  await chmod(fresh, 0o755)
  await cp(installed, join(fresh, 'native'), { recursive: true, verbatimSymlinks: true })
  await makeReadable(fresh)
  await makeLibraryLinks(join(fresh, 'native'))
  await rm(copy, { recursive: true, force: true })
  await rename(fresh, copy)
  return join(copy, 'native')
}

/** Systems remove single old files from /var/tmp, and any user may create a directory there. */
async function isCompleteCopy(installed: string, copy: string): Promise<boolean> {
  const top = await lstat(copy).catch(() => null)
  if (!top?.isDirectory() || top.uid !== process.getuid?.()) return false
  // A copy that cannot be read is not complete, and is made again.
  const present = new Set(await readdir(join(copy, 'native'), { recursive: true }).catch(() => []))
  return (await readdir(installed, { recursive: true })).every((file) => present.has(file))
}

async function makeReadable(directory: string): Promise<void> {
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    if (entry.isSymbolicLink()) continue
    const path = join(entry.parentPath, entry.name)
    await chmod(path, entry.isDirectory() || (await stat(path)).mode & 0o100 ? 0o755 : 0o644)
  }
}
