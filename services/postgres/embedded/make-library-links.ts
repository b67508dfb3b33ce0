import { lstat, readFile, symlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { z } from 'zod'

/**
 * Creates the symbolic links of the package's libraries. npm packages cannot contain links, so the
 * package has a list of links and an install script. npm does not run the script by default.
 * `native` is the directory of bin, lib and share. Fails with EACCES or EROFS if the directory is
 * not writable.
 */
export async function makeLibraryLinks(native: string): Promise<void> {
  for (const { source, target } of await readLinks(native)) {
    const link = join(dirname(native), target)
    if (await exists(link)) continue
    await symlink(basename(source), link).catch(unlessExists)
  }
}

const links = z.array(z.object({ source: z.string(), target: z.string() }))

async function readLinks(native: string): Promise<z.infer<typeof links>> {
  try {
    return links.parse(JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8')))
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

// Another start may have created the link.
function unlessExists(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}
