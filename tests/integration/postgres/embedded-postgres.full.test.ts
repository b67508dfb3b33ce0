import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import {
  chmod,
  cp,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { StartupError } from '#services/foundation/startup-error'
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
  type EmbeddedPostgresOptions,
} from '#services/postgres/embedded-postgres'
import { findInstalledBinaries } from '#services/postgres/embedded/find-binaries'
import { isServerOf, readPostmasterFile } from '#services/postgres/embedded/postmaster-file'
import { provideBinaries } from '#services/postgres/embedded/provide-binaries'
import { chooseServerUser } from '#services/postgres/embedded/server-user'
import { temporaryDirectory } from '../../support/machine/temporary-directory.ts'
import { until } from '../../support/machine/until.ts'

const isRoot = process.getuid?.() === 0
const itAsRoot = isRoot ? it : (name: string) => it.skip(`${name} [only as root]`, () => undefined)

let directory: { path: string; remove(): Promise<void> }
let dataDir: string
const running: EmbeddedPostgres[] = []
const children: ChildProcess[] = []
const logged: string[] = []

beforeEach(async () => {
  directory = await temporaryDirectory()
  dataDir = join(directory.path, 'postgres')
  logged.length = 0
})

afterEach(async () => {
  for (const child of children.splice(0)) await kill(child)
  for (const server of running.splice(0).reverse()) await server.stop()
  await directory.remove()
})

// Each test creates a cluster and starts it several times. That takes many seconds on a busy
// machine.
jest.setTimeout(60_000)

describe('the embedded PostgreSQL', () => {
  it('keeps committed data across a restart', async () => {
    const first = await start()
    await query(first, 'CREATE TABLE note (text text)')
    await query(first, `INSERT INTO note VALUES ('kept')`)
    await first.stop()
    const second = await start()
    expect(await notes(second)).toEqual(['kept'])
  })

  it('has durable settings by default', async () => {
    const server = await startEmbeddedPostgres({ dataDir })
    running.push(server)
    expect(await settings(server)).toEqual({
      fsync: 'on',
      full_page_writes: 'on',
      synchronous_commit: 'on',
    })
  })

  it('requires its password, and other accounts cannot read its files', async () => {
    const server = await start()
    const { port, user } = new pg.Client(server.connectionString('postgres'))
    const stranger = new pg.Client({
      host: '127.0.0.1',
      port,
      ...(user && { user }),
      password: 'guess',
      database: 'postgres',
    })
    await expect(stranger.connect()).rejects.toMatchObject({ code: '28P01' })
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700)
    for (const file of ['password', 'server.log'])
      expect((await stat(join(dataDir, file))).mode & 0o777).toBe(0o600)
  })

  it('compares and converts letters by Unicode', async () => {
    expect(await query(await start(), `SELECT lower('ÉCOLE') AS word`)).toEqual([{ word: 'école' }])
  })

  it('removes the unfinished directory of a killed start', async () => {
    await mkdir(join(dataDir, `unfinished-${2 ** 31 - 1}-ab12cd34-cluster`, 'base'), {
      recursive: true,
    })
    await start()
    expect((await readdir(dataDir)).sort()).toEqual(['cluster', 'password', 'server.log'])
  })
})

describe('kill -9', () => {
  it('of the owner process loses no committed data', async () => {
    const owner = await startOwner()
    await commit(owner, 'before the kill')
    await kill(owner)
    expect(await notes(await start())).toEqual(['before the kill'])
  })

  it('of the owner process leaves a server on a system without setpriv, and the next start replaces that server', async () => {
    // Without PATH, the product does not find setpriv, as on macOS. The server then outlives its
    // owner.
    const owner = await startOwner({ PATH: '/nowhere' })
    await commit(owner, 'before the kill')
    const orphan = (await readPostmasterFile(join(dataDir, 'cluster')))?.pid ?? 0
    await kill(owner)
    await sleep(200)
    expect(await isServerOf(join(dataDir, 'cluster'), orphan)).toBe(true)
    expect(await notes(await start())).toEqual(['before the kill'])
    expect(await isServerOf(join(dataDir, 'cluster'), orphan)).toBe(false)
  })

  it('of the server causes a restart on the same port', async () => {
    const server = await start()
    await query(server, `CREATE TABLE note AS SELECT 'kept' AS text`)
    await killServer()
    await until(() => logged.some((line) => line.includes('is back')))
    expect(await notes(server)).toEqual(['kept'])
    expect(logged.join()).toMatch(/ended unexpectedly \(SIGKILL\)/)
  })

  it('of a server that cannot start causes retries with backoff and few log lines, until a start succeeds', async () => {
    const pauses: number[] = []
    let wake = () => undefined as void
    const server = await start({
      sleep: (milliseconds) => {
        pauses.push(milliseconds)
        // The last pause lasts until the test has repaired the cluster.
        return pauses.length < 4
          ? Promise.resolve()
          : new Promise<void>((resolve) => (wake = resolve))
      },
    })
    await query(server, `CREATE TABLE note AS SELECT 'kept' AS text`)
    const control = join(dataDir, 'cluster/global/pg_control')
    await rename(control, `${control}.away`)
    await killServer()
    await until(() => pauses.length === 4)
    await rename(`${control}.away`, control)
    wake()
    await until(() => logged.some((line) => line.includes('is back')))
    expect(await notes(server)).toEqual(['kept'])
    // The lines before these are messages of the start: the paths of programs and data if root
    // starts the server.
    expect(logged.slice(logged.findIndex((line) => line.includes('ended unexpectedly')))).toEqual([
      'The embedded PostgreSQL ended unexpectedly (SIGKILL) and is being restarted.',
      expect.stringMatching(/pg_control.* The start is retried with backoff of at most 30 s\.$/),
      'The embedded PostgreSQL is back.',
    ])
    expectGrowing(pauses)
  })

  it('of a server soon after each restart makes the pauses between restarts longer', async () => {
    const pauses: number[] = []
    const server = await start({
      sleep: async (milliseconds) => {
        pauses.push(milliseconds)
      },
    })
    for (let crash = 1; crash <= 4; crash += 1) {
      await killServer()
      await until(() => logged.filter((line) => line.includes('is back')).length === crash)
    }
    await query(server, 'SELECT 1')
    expect(pauses).toHaveLength(3)
    expectGrowing(pauses)
  })

  it('leaves a process id that another process may get, and the next start does not end that process', async () => {
    const first = await start()
    await query(first, `CREATE TABLE note AS SELECT 'kept' AS text`)
    await first.stop()
    const { uid, gid } = await stat(dataDir)
    const stranger = spawn('sleep', ['60'], { stdio: 'ignore', ...(isRoot && { uid, gid }) })
    children.push(stranger)
    await writeFile(
      join(dataDir, 'cluster/postmaster.pid'),
      `${stranger.pid}\n${dataDir}/cluster\n1700000000\n5432\n\n127.0.0.1\n\nready\n`,
    )
    expect(await notes(await start())).toEqual(['kept'])
    expect(stranger.exitCode ?? stranger.signalCode).toBeNull()
  })
})

describe('a second start over the same data', () => {
  it('joins the running server and does not stop it', async () => {
    const owner = await startOwner()
    await commit(owner, 'seen by both')
    const guest = await start()
    expect(await notes(guest)).toEqual(['seen by both'])
    await guest.stop()
    await commit(owner, 'after the visit')
    expect(await notes(guest)).toEqual(['seen by both', 'after the visit'])
  })

  it('takes over when the owner of the first server ends', async () => {
    const owner = await startOwner()
    await commit(owner, 'before')
    const guest = await start()
    await kill(owner)
    // The server accepts connections shortly before the log line.
    await until(() => logged.some((line) => line.includes('this process runs it now')))
    expect(await notes(guest)).toEqual(['before'])
  })

  it('during the pause before a restart uses the port of the first process, which takes over at the end', async () => {
    let wake = () => undefined as void
    const first = await start({
      // Only the pause of the second restart lasts.
      sleep: (milliseconds) =>
        milliseconds >= 5_000
          ? new Promise<void>((resolve) => (wake = resolve))
          : sleep(milliseconds),
    })
    await query(first, `CREATE TABLE note AS SELECT 'kept' AS text`)
    await killServer()
    await until(() => logged.some((line) => line.includes('is back')))
    await killServer()
    const command = await start()
    expect(await notes(first)).toEqual(['kept'])

    wake()
    await until(() => logged.some((line) => line.includes('Another process runs the embedded')))
    await command.stop()
    await until(() => logged.filter((line) => line.includes('is back')).length === 2)
    expect(await notes(first)).toEqual(['kept'])
  })

  it('at the same moment uses the same server', async () => {
    const [one, two] = await Promise.all([start(), start()])
    expect(one.connectionString('postgres')).toBe(two.connectionString('postgres'))
  })
})

describe('a start is refused with one sentence', () => {
  it('if its directory cannot be created', async () => {
    dataDir = process.platform === 'linux' ? '/sys/billing' : '/System/billing'
    // EACCES, EPERM or EROFS. The code depends on the account and on how /sys is mounted (read-only
    // in a container).
    await expectRefusal(
      /billing (cannot be read and written|does not accept new directories|is on a read-only file system).*[:.] .*set DATA_DIR to a directory/,
    )
  })

  it('if a file is at the path of its directory', async () => {
    await writeFile(dataDir, '')
    await expectRefusal(/postgres is not a directory, .* set DATA_DIR/)
  })

  it('if another version of PostgreSQL made the database', async () => {
    await mkdir(join(dataDir, 'cluster'), { recursive: true })
    await writeFile(join(dataDir, 'cluster/PG_VERSION'), '17\n')
    await expectRefusal(/made by PostgreSQL 17 and this release has PostgreSQL 18/)
  })

  it('if another program uses its port', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    try {
      await expectRefusal(new RegExp(`Port ${port} on 127.0.0.1 is taken`), port)
    } finally {
      other.close()
    }
  })

  it('if files of the cluster are missing', async () => {
    await (await start()).stop()
    await rm(join(dataDir, 'cluster/global/pg_control'))
    await expectRefusal(/did not start: .*pg_control.*server\.log/)
  })
})

describe('a server that root starts', () => {
  itAsRoot('runs under another account', async () => {
    const server = await start()
    const [{ pid }] = (await query(server, 'SELECT pg_backend_pid() AS pid')) as [{ pid: number }]
    expect(await readFile(`/proc/${pid}/status`, 'utf8').catch(() => 'ended')).not.toMatch(
      /^Uid:\s+0/m,
    )
    expect((await stat(join(dataDir, 'cluster'))).uid).not.toBe(0)
  })

  itAsRoot(
    'can enter the directories that are created for it, even with a strict umask',
    async () => {
      dataDir = join(directory.path, 'deep/down/postgres')
      const umask = process.umask(0o077)
      try {
        await start()
      } finally {
        process.umask(umask)
      }
      expect((await stat(dataDir)).mode & 0o777).toBe(0o700)
    },
  )

  itAsRoot(
    'keeps its data in another directory if its account cannot enter the data directory, and logs the path',
    async () => {
      await chmod(directory.path, 0o700)
      const server = await start()
      try {
        await query(server, `CREATE TABLE note AS SELECT 'kept' AS text`)
        expect(server.dataDir).toMatch(/^\/var\/lib\/agile-receivables\/postgres-/)
        expect(logged.join()).toContain(server.dataDir)
        expect(await readlink(dataDir)).toBe(server.dataDir)
        await server.stop()
        expect(await notes(await start())).toEqual(['kept'])
      } finally {
        for (const each of running.splice(0)) await each.stop()
        await rm(server.dataDir, { recursive: true })
      }
      await expectRefusal(/is a link to a database that does not exist\. .*remove/)
    },
  )

  itAsRoot(
    'runs a copy of programs that its account cannot reach, and an incomplete copy is replaced',
    async () => {
      const installed = await installationWithoutLinks()
      const copies = join(directory.path, 'copies')
      await mkdir(copies)
      await chmod(join(directory.path, 'package'), 0o700)
      const copy = await provideBinaries(chooseServerUser(), (line) => logged.push(line), {
        installed,
        copies,
      })
      expect(copy).toMatch(/copies\/agile-receivables-postgres-18\.\S+-0\/native$/)
      expect(logged.join()).toContain(copy)
      // For example, a cleanup of /var/tmp removed a file.
      await rm(join(copy, 'share/postgresql/postgres.bki'))
      await provideBinaries(chooseServerUser(), () => undefined, { installed, copies })
      expect((await stat(join(copy, 'share/postgresql/postgres.bki'))).size).toBeGreaterThan(0)
    },
  )
})

it('the product creates the links between libraries if npm ran no install scripts', async () => {
  const installed = await installationWithoutLinks()
  expect(await provideBinaries(chooseServerUser(), () => undefined, { installed })).toBe(installed)
  const links = JSON.parse(await readFile(join(installed, 'pg-symlinks.json'), 'utf8')) as {
    target: string
  }[]
  for (const { target } of links)
    expect(await readlink(join(installed, '..', target))).toMatch(/^lib/)
})

/** Starts a server without fsync, which is slow and protects only against a loss of power. */
async function start(options: Partial<EmbeddedPostgresOptions> = {}): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({
    dataDir,
    fsync: false,
    log: (line) => logged.push(line),
    ...options,
  })
  running.push(server)
  return server
}

async function startOwner(env: Record<string, string> = {}): Promise<ChildProcess> {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', 'tests/support/postgres/embedded-server-process.ts', dataDir],
    {
      env: { ...process.env, ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  )
  children.push(child)
  expect(await nextLine(child)).toBe('ready')
  return child
}

async function commit(owner: ChildProcess, text: string): Promise<void> {
  owner.stdin?.write(`${text}\n`)
  expect(await nextLine(owner)).toBe('committed')
}

async function nextLine(child: ChildProcess): Promise<string> {
  const lines = child.stdout
  if (!lines) throw new Error('The child was started without a pipe.')
  const chunk: unknown = await Promise.race([
    once(lines, 'data').then(([data]) => data as unknown),
    once(child, 'exit').then(() => 'ended'),
  ])
  return String(chunk).trim()
}

async function killServer(): Promise<void> {
  process.kill((await readPostmasterFile(join(dataDir, 'cluster')))?.pid ?? 0, 'SIGKILL')
}

/** Each pause is in the upper half of its limit: 5, 10, 20 and 30 s. */
function expectGrowing(pauses: readonly number[]): void {
  pauses.forEach((milliseconds, index) => {
    const limit = Math.min(30_000, 5_000 * 2 ** index)
    expect(milliseconds).toBeGreaterThanOrEqual(limit / 2)
    expect(milliseconds).toBeLessThanOrEqual(limit)
  })
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

async function query(server: EmbeddedPostgres, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: server.connectionString('postgres') })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text)).rows
  } finally {
    await client.end()
  }
}

async function notes(server: EmbeddedPostgres): Promise<string[]> {
  return ((await query(server, 'SELECT text FROM note')) as { text: string }[]).map(
    ({ text }) => text,
  )
}

async function settings(server: EmbeddedPostgres): Promise<Record<string, string>> {
  const rows = await query(
    server,
    `SELECT name, setting FROM pg_settings WHERE name IN ('fsync', 'full_page_writes', 'synchronous_commit')`,
  )
  return Object.fromEntries(
    (rows as { name: string; setting: string }[]).map(({ name, setting }) => [name, setting]),
  )
}

async function expectRefusal(sentence: RegExp, port?: number): Promise<void> {
  const refusal = await start(port === undefined ? {} : { port }).then(
    () => null,
    (error: unknown) => error,
  )
  expect(refusal).toBeInstanceOf(StartupError)
  expect((refusal as StartupError).message).toMatch(sentence)
}

async function installationWithoutLinks(): Promise<string> {
  const installed = join(directory.path, 'package/native')
  await cp(join(findInstalledBinaries(), '../package.json'), join(installed, '../package.json'))
  await cp(findInstalledBinaries(), installed, {
    recursive: true,
    filter: async (source) => !(await lstat(source)).isSymbolicLink(),
  })
  return installed
}
