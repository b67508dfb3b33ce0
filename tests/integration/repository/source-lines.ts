import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

async function sources(folders: readonly string[]): Promise<readonly string[]> {
  const entries = await Promise.all(
    folders.map((folder) => readdir(folder, { recursive: true, withFileTypes: true })),
  )
  return entries
    .flat()
    .filter((entry) => entry.isFile() && /\.(ts|tsx|mjs)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}

/** The files with a line that matches, such as `services/mail/mailer.ts:12`. */
export async function linesWith(
  pattern: RegExp,
  folders: readonly string[],
): Promise<readonly string[]> {
  const found = await Promise.all(
    (await sources(folders)).map(async (file) =>
      (await readFile(file, 'utf8'))
        .split('\n')
        .flatMap((line, index) => (pattern.test(line) ? [`${file}:${index + 1}`] : [])),
    ),
  )
  return found.flat()
}
