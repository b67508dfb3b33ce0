import { chmod, mkdtemp, readdir, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * An empty directory that the account of PostgreSQL can enter. If root runs the tests, PostgreSQL
 * has another account.
 */
export async function temporaryDirectory(): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(await fastestParent(), `${prefix}${process.pid}-`))
  await chmod(path, 0o711)
  return { path, remove: () => remove(path) }
}

/** Removes the directories of killed test runs: in memory they would stay until the next boot. */
export async function removeAbandonedDirectories(): Promise<void> {
  const parent = await fastestParent()
  for (const name of await readdir(parent)) {
    const [, pid] = abandoned.exec(name) ?? []
    if (pid === undefined || isRunning(Number(pid))) continue
    // Another account owns it.
    await remove(join(parent, name)).catch(() => undefined)
  }
}

const prefix = 'billing-test-'
/** The name has the process that created it. */
const abandoned = new RegExp(`^${prefix}(\\d+)-`)

const remove = (path: string) => rm(path, { recursive: true, force: true, maxRetries: 5 })

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // EPERM: a process of another account.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

const memory = '/dev/shm'
const memoryNeeded = 4 * 2 ** 30

/**
 * The file system in memory, if the machine has one with 4 GB free. A test run copies a template
 * database of 800 files more than a thousand times. One copy takes 20 ms in memory, and 230 ms on a
 * disk, which is mostly time of the kernel. TMPDIR overrides the choice.
 */
async function fastestParent(): Promise<string> {
  if (process.env.TMPDIR) return tmpdir()
  const free = await statfs(memory).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  )
  return free >= memoryNeeded ? memory : tmpdir()
}
