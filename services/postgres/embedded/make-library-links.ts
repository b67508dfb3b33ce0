import { lstat, readFile, symlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/**
 * npm packages cannot hold symbolic links, so the package brings a list and makes them in an
 * install script; npm does not run those scripts unless it is told to. `native` is the directory
 * that holds bin, lib and share. Fails with EACCES or EROFS where it may not write.
 */
export async function makeLibraryLinks(native: string): Promise<void> {
  for (const { source, target } of await readLinks(native)) {
    const link = join(dirname(native), target)
    if (await exists(link)) continue
    await symlink(basename(source), link).catch(unlessExists)
  }
}

async function readLinks(native: string): Promise<readonly { source: string; target: string }[]> {
  try {
    return JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')) as {
      source: string
      target: string
    }[]
  } catch (error) {
    // Windows needs no links and its package has no list.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

const exists = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  )

// Another start may have been faster.
function unlessExists(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}
