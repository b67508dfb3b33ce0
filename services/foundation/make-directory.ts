import { mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

/**
 * Creates a directory and every missing directory above it. Node's recursive mkdir does not work
 * for every DATA_DIR: it reports ENOENT for a read-only /sys, and it never returns for a path in
 * /proc.
 * @returns the topmost directory that was created; undefined if the directory existed
 * @throws NodeJS.ErrnoException of the first directory that could not be created, with its `path`:
 * - EEXIST for a file or a dangling link
 * - EROFS or EACCES
 * - EPERM or ENOENT if the file system does not accept new directories
 */
export function makeDirectory(path: string, mode = 0o777): string | undefined {
  const directory = resolve(path)
  if (isDirectory(directory)) return undefined
  const parent = dirname(directory)
  // The root of a missing drive is its own parent.
  const topmost = parent === directory ? undefined : makeDirectory(parent, mode)
  try {
    mkdirSync(directory, { mode })
  } catch (error) {
    // Another process made the directory in the meantime.
    if (isDirectory(directory)) return topmost
    throw error
  }
  return topmost ?? directory
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
