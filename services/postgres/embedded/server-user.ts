import { spawnSync, type SpawnOptions } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { StartupError } from '#services/foundation/startup-error'

/** The account of the server's processes. Null is the account of this process. */
export type ServerUser = {
  readonly uid: number
  readonly gid: number
  readonly name: string
} | null

/** Arguments of `spawn`. */
export interface Command {
  readonly program: string
  readonly args: readonly string[]
  readonly options: Pick<SpawnOptions, 'uid' | 'gid' | 'env'>
}

const runningAsRoot = process.getuid?.() === 0

/**
 * PostgreSQL refuses to run as root. For root this selects an existing account: postgres or nobody.
 */
export function chooseServerUser(): ServerUser {
  if (!runningAsRoot) return null
  const accounts = readAccounts()
  return (
    accounts.get('postgres') ?? accounts.get('nobody') ?? { uid: 65534, gid: 65534, name: 'nobody' }
  )
}

/**
 * The account that owns an existing directory, so that a database keeps the account that created
 * it.
 */
export function serverUserOwning(owner: { uid: number; gid: number }): ServerUser {
  if (!runningAsRoot || owner.uid === 0) return chooseServerUser()
  const known = [...readAccounts().values()].find((account) => account.uid === owner.uid)
  return { uid: owner.uid, gid: owner.gid, name: known?.name ?? String(owner.uid) }
}

export function nameOf(user: ServerUser): string {
  return user ? `the account "${user.name}" (PostgreSQL does not run as root)` : 'your account'
}

/**
 * A command that runs as `user`. With `diesWithParent` the kernel sends it SIGINT when this process
 * dies, even by kill -9. For PostgreSQL this is a fast shutdown. Without `setpriv` (macOS, Alpine)
 * the server stays as an orphan, and the next start shuts it down.
 */
export function commandAs(
  user: ServerUser,
  program: string,
  args: readonly string[],
  diesWithParent = false,
): Command {
  const env = serverEnvironment()
  if (!setprivWorks())
    return { program, args, options: user ? { env, uid: user.uid, gid: user.gid } : { env } }
  const identity = user
    ? ['--reuid', String(user.uid), '--regid', String(user.gid), '--clear-groups']
    : []
  const death = diesWithParent ? ['--pdeathsig', 'INT'] : []
  if (identity.length + death.length === 0) return { program, args, options: { env } }
  return {
    program: 'setpriv',
    args: [...identity, ...death, '--', program, ...args],
    options: { env },
  }
}

/**
 * Runs a small shell test as `user`, such as whether it can read a path. `$1`, `$2`… are `args`.
 */
export function testAs(user: ServerUser, script: string, ...args: readonly string[]): boolean {
  const command = commandAs(user, '/bin/sh', ['-c', script, 'sh', ...args])
  const result = spawnSync(command.program, command.args, {
    ...command.options,
    stdio: 'ignore',
    cwd: '/',
  })
  if (result.error && 'code' in result.error && result.error.code === 'EPERM')
    throw cannotSwitch(user)
  return result.status === 0
}

export function cannotSwitch(user: ServerUser): StartupError {
  return new StartupError(
    `The embedded PostgreSQL must run as ${nameOf(user)}, and this system does not let root switch to that account. ` +
      'Start as an ordinary user, or set DATABASE_URL to another PostgreSQL.',
  )
}

// The server receives neither the secrets of this process nor the user's PGPORT or PGDATA.
function serverEnvironment(): NodeJS.ProcessEnv {
  const { PATH, SystemRoot, TMPDIR } = process.env
  return {
    ...(PATH && { PATH }),
    ...(SystemRoot && { SystemRoot }),
    ...(TMPDIR && !runningAsRoot && { TMPDIR }),
    LC_ALL: 'C',
    TZ: 'UTC',
  }
}

let setprivAnswer: boolean | undefined

// Busybox has a setpriv without these options, so the probe runs it with the options.
function setprivWorks(): boolean {
  const probe = [
    '--pdeathsig',
    'INT',
    ...(runningAsRoot ? ['--reuid', '65534', '--regid', '65534', '--clear-groups'] : []),
    '--',
    'true',
  ]
  setprivAnswer ??=
    process.platform === 'linux' &&
    spawnSync('setpriv', probe, { stdio: 'ignore', cwd: '/' }).status === 0
  return setprivAnswer
}

function readAccounts(): Map<string, { uid: number; gid: number; name: string }> {
  const accounts = new Map<string, { uid: number; gid: number; name: string }>()
  for (const line of readPasswd().split('\n')) {
    const [name, , uid, gid] = line.split(':')
    // macOS writes the id of `nobody` as -2.
    if (name && uid && gid)
      accounts.set(name, { uid: Number(uid) >>> 0, gid: Number(gid) >>> 0, name })
  }
  return accounts
}

function readPasswd(): string {
  try {
    return readFileSync('/etc/passwd', 'utf8')
  } catch {
    // A minimal container may have no such file. The id 65534 works without it.
    return ''
  }
}
