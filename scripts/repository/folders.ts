import { existsSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { differences } from './differences.ts'
import { folderLines, page, renderFolders, renderSource, source } from './folder-lines.ts'
import { trackedFiles } from './git.ts'

/** Whether docs/folders.json has one line for each folder of Git. */
export function misstatedFolders(): readonly string[] {
  const folders = new Set(trackedFiles().flatMap((file) => withParents(dirname(file))))
  return differences(source, { stated: Object.keys(folderLines()), actual: [...folders] }).map(
    (problem) => `${problem} Correct it there and run npm run folders.`,
  )
}

/** Whether `npm run folders` would change one of the files that it writes. */
export function staleFilesOfFolders(): readonly string[] {
  const lines = folderLines()
  return [
    { file: source, text: renderSource(lines) },
    { file: page, text: renderFolders(lines) },
  ]
    .filter(({ file, text }) => !existsSync(file) || readFileSync(file, 'utf8') !== text)
    .map(({ file }) => `${file} is not as npm run folders writes it. Run npm run folders.`)
}

/** `services/http` gives `services` and `services/http`. */
function withParents(folder: string): readonly string[] {
  return folder === '.' ? [] : [...withParents(dirname(folder)), folder]
}
