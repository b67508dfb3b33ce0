import { execFileSync } from 'node:child_process'
import { chmodSync, closeSync, mkdtempSync, openSync, rmSync, rmdirSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A separate file system that a test can fill. */
export interface SmallDisk {
  readonly path: string
  /** Writes a file until there is no space left. */
  fill(): void
  /** Removes the file of `fill`. */
  free(): void
  remove(): void
}

/** The reason why `mountSmallDisk` does not work here; null if it works: on Linux, as root. */
export function whyNoSmallDisk(): string | null {
  try {
    mountSmallDisk(1).remove()
    return null
  } catch {
    return 'this account may not mount a tmpfs'
  }
}

/** Mounts a tmpfs of this size in MB. @throws if the account may not mount */
export function mountSmallDisk(megabytes: number): SmallDisk {
  const path = mkdtempSync(join(tmpdir(), 'billing-disk-'))
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path], {
      stdio: 'pipe',
    })
  } catch (error) {
    rmdirSync(path)
    throw error
  }
  // The account of PostgreSQL must be able to enter the directory.
  chmodSync(path, 0o755)
  const filler = join(path, 'filler')
  return {
    path,
    fill() {
      const file = openSync(filler, 'a')
      const block = Buffer.alloc(4_096)
      try {
        for (;;) writeSync(file, block)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      } finally {
        closeSync(file)
      }
    },
    free: () => rmSync(filler, { force: true }),
    remove() {
      execFileSync('umount', [path], { stdio: 'pipe' })
      rmdirSync(path)
    },
  }
}
