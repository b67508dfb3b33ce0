import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmdirSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A separate file system that a test can fill. */
export interface SmallDisk {
  readonly path: string
  /** Shrinks the file system until it has no free block. */
  fill(): void
  /** Gives it its size again. */
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
  const resize = (size: string) =>
    execFileSync('mount', ['-o', `remount,size=${size}`, path], { stdio: 'pipe' })
  return {
    path,
    fill() {
      for (let attempt = 1; ; attempt += 1) {
        const { blocks, bfree, bsize } = statfsSync(path)
        try {
          return void resize(`${((blocks - bfree) * bsize) / 1_024}k`)
        } catch (error) {
          // A file grew meanwhile, and no file system gets smaller than its files.
          if (attempt === 20) throw error
        }
      }
    },
    free: () => void resize(`${megabytes}m`),
    remove() {
      execFileSync('umount', [path], { stdio: 'pipe' })
      rmdirSync(path)
    },
  }
}
