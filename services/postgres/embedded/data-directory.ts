import { randomBytes } from 'node:crypto'
import {
  chmod,
  chown,
  link,
  lstat,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  rmdir,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { explainFileError } from '#services/foundation/explain-file-error'
import { makeDirectory } from '#services/foundation/make-directory'
import { StartupError } from '#services/foundation/startup-error'
import { isAlive } from './postmaster-file.ts'
import {
  chooseServerUser,
  nameOf,
  serverUserOwning,
  testAs,
  type ServerUser,
} from './server-user.ts'

/**
 * The directory of one embedded database: the cluster, the password of its only account and the
 * server's log. All files belong to the server's account, mode 0700.
 */
export interface DataDirectory {
  readonly path: string
  readonly cluster: string
  readonly logFile: string
  readonly password: string
  readonly user: ServerUser
}

const majorVersion = '18'

/**
 * Creates the data directory or uses the existing one.
 * @throws StartupError if it is not writable, not accessible, or of another PostgreSQL version
 */
export async function prepareDataDirectory(
  wanted: string,
  log: (line: string) => void,
): Promise<DataDirectory> {
  try {
    const path = await locate(resolve(wanted), log)
    await makeWalkable(dirname(path))
    makeDirectory(path, 0o700)
    const user = serverUserOwning(await stat(path))
    if (user) await chown(path, user.uid, user.gid)
    await chmod(path, 0o700)
    const cluster = join(path, 'cluster')
    await refuseOtherVersion(cluster)
    await removeAbandoned(path)
    return {
      path,
      cluster,
      logFile: join(path, 'server.log'),
      password: await readOrMakePassword(join(path, 'password'), user),
      user,
    }
  } catch (error) {
    throw explainFileError(error, resolve(wanted))
  }
}

/**
 * Returns the real data directory. Root's home is usually closed to the account that PostgreSQL
 * runs under. If the account cannot reach `wanted`, the data goes to /var/lib, with a link at
 * `wanted`. (Systems remove old files from /var/tmp.) After a removal of the link, the next start
 * creates a new database.
 */
async function locate(wanted: string, log: (line: string) => void): Promise<string> {
  if (await pathExists(wanted, lstat)) {
    if (!(await pathExists(wanted, stat))) {
      throw new StartupError(
        `${wanted} is a link to a database that does not exist. Restore that directory, or remove ${wanted} to start with an empty database.`,
      )
    }
    const path = await realpath(wanted)
    const user = serverUserOwning(await stat(path))
    if (!user || canReach(user, dirname(path))) return path
    if ((await readdir(path)).length > 0) {
      throw new StartupError(
        `The data in ${path} cannot be reached by ${nameOf(user)}. Give this account access to the parent directories (chmod o+x), or set DATA_DIR to another directory.`,
      )
    }
    await rmdir(path)
  }
  const user = chooseServerUser()
  if (!user || canReach(user, await nearestExisting(dirname(wanted)))) return wanted
  return linkToElsewhere(wanted, user, log)
}

async function linkToElsewhere(
  wanted: string,
  user: ServerUser,
  log: (line: string) => void,
): Promise<string> {
  const shelf = '/var/lib/agile-receivables'
  try {
    makeDirectory(shelf, 0o755)
  } catch (error) {
    throw explainFileError(error, shelf)
  }
  await makeWalkable(dirname(wanted))
  const path = await mkdtemp(join(shelf, 'postgres-'))
  try {
    await symlink(path, wanted)
  } catch (error) {
    await rmdir(path)
    // Another start created the link meanwhile.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return realpath(wanted)
    throw error
  }
  log(
    `The database is kept in ${path}, because ${nameOf(user)} cannot reach ${wanted}, which is now a link to it.`,
  )
  return path
}

/**
 * Creates the parent directories with access for the server's account, whatever the umask. Only the
 * data directory is closed.
 */
async function makeWalkable(directory: string): Promise<void> {
  const first = makeDirectory(directory)
  if (first === undefined || !chooseServerUser()) return
  for (let made = directory; made.startsWith(first); made = dirname(made))
    await chmod(made, (await stat(made)).mode | 0o111)
}

function canReach(user: ServerUser, directory: string): boolean {
  return testAs(user, 'cd "$1"', directory)
}

async function nearestExisting(path: string): Promise<string> {
  return path === dirname(path) || (await pathExists(path, stat))
    ? path
    : nearestExisting(dirname(path))
}

const pathExists = (path: string, look: typeof stat | typeof lstat): Promise<boolean> =>
  look(path).then(
    () => true,
    () => false,
  )

async function refuseOtherVersion(cluster: string): Promise<void> {
  const version = (await readIfThere(join(cluster, 'PG_VERSION')))?.trim()
  if (version === undefined || version === majorVersion) return
  throw new StartupError(
    `The database in ${cluster} was made by PostgreSQL ${version} and this release has PostgreSQL ${majorVersion}. ` +
      'Back it up with the release that made it and restore it here, or set DATA_DIR to a new directory.',
  )
}

// Writes the file aside and links it: a reader never finds a partial file, and of two concurrent
// starts one wins.
async function readOrMakePassword(file: string, user: ServerUser): Promise<string> {
  const known = await readIfThere(file)
  if (known !== undefined) return known
  const aside = unfinished(dirname(file), 'password')
  await writeFile(aside, randomBytes(24).toString('base64url'), { mode: 0o600 })
  if (user) await chown(aside, user.uid, user.gid)
  await link(aside, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  await rm(aside)
  return readFile(file, 'utf8')
}

/**
 * A name for an unfinished file. It has the process id, so that a later start knows whether its
 * process still runs.
 */
export function unfinished(directory: string, what: string): string {
  return join(directory, `unfinished-${process.pid}-${randomBytes(4).toString('hex')}-${what}`)
}

/** Removes the unfinished files of killed starts. */
async function removeAbandoned(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const pid = /^unfinished-(\d+)-/.exec(name)?.[1]
    if (pid && !isAlive(Number(pid)))
      await rm(join(directory, name), { recursive: true, force: true })
  }
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
