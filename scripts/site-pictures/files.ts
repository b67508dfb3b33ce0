import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Writes a picture to its path in the repository, and prints the path and the size. */
export async function writePicture(path: string, picture: Uint8Array): Promise<void> {
  const file = join(root, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, picture)
  process.stdout.write(`${path}: ${(picture.length / 1000).toFixed(1)} kB\n`)
}
