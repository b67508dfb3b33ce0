import { createHash } from 'node:crypto'
import { chmod, cp, lstat, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { StartupError } from '#services/startup-error'
import { executable, findInstalledBinaries } from './find-binaries.ts'
import { makeLibraryLinks } from './make-library-links.ts'
import { nameOf, testAs, type ServerUser } from './server-user.ts'

/**
 * A `native` directory whose programs `user` can run: the installed one if that works, else a copy
 * under /var/tmp (root's home is closed to other accounts; node_modules may be read-only).
 */
export async function provideBinaries(user: ServerUser, log: (line: string) => void, installed = findInstalledBinaries()): Promise<string> {
  const linked = await makeLibraryLinks(installed).then(() => true, () => false)
  if (linked && canRun(user, installed)) return installed

  const copy = await copyOf(installed)
  if (!canRun(user, copy)) {
    throw new StartupError(
      `The PostgreSQL that npm installed does not run on this system (tried ${executable(installed, 'postgres')} and a copy in ${copy} ` +
        `as ${nameOf(user)}): set DATABASE_URL to a PostgreSQL of your own.`,
    )
  }
  log(`PostgreSQL runs from a copy of its programs in ${copy}, because ${nameOf(user)} cannot use the ones in ${installed}.`)
  return copy
}

function canRun(user: ServerUser, native: string): boolean {
  if (process.platform === 'win32') return true
  return testAs(user, 'test -r "$1" && exec "$2" --version', join(native, 'share/postgresql/postgres.bki'), executable(native, 'postgres'))
}

// The name is stable, so that every start finds the same copy, and differs by what is copied and by whom.
async function copyOf(installed: string): Promise<string> {
  const binary = await stat(executable(installed, 'postgres'))
  const id = createHash('sha256').update(`${installed} ${binary.size} ${binary.mtimeMs}`).digest('hex').slice(0, 12)
  const copy = `/var/tmp/agile-receivables-postgres-${process.getuid?.() ?? 0}-${id}`
  if (await isCompleteCopy(installed, copy)) return join(copy, 'native')

  const fresh = await mkdtemp(`${copy}.`)
  // What npm installed under a strict umask must be readable in the copy all the same.
  await chmod(fresh, 0o755)
  await cp(installed, join(fresh, 'native'), { recursive: true, verbatimSymlinks: true })
  await makeReadable(fresh)
  await makeLibraryLinks(join(fresh, 'native'))
  await rm(copy, { recursive: true, force: true })
  await rename(fresh, copy)
  return join(copy, 'native')
}

/** Systems sweep old files out of /var/tmp one by one, and anybody may make directories there. */
async function isCompleteCopy(installed: string, copy: string): Promise<boolean> {
  const top = await lstat(copy).catch(() => null)
  if (!top?.isDirectory() || top.uid !== process.getuid?.()) return false
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
