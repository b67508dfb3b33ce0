import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { trackedFiles } from './git.ts'
import { differences } from './differences.ts'

/** Whether the table "Folders" of docs/architecture.md has one row for each folder of Git. */
export function misstatedFolders(): readonly string[] {
  const folders = new Set(trackedFiles().flatMap((file) => withParents(dirname(file))))
  return differences('The table "Folders" of docs/architecture.md', {
    stated: rowsOfTable(),
    actual: [...folders].map((folder) => `\`${folder}\``),
  })
}

/** `services/http/` gives `services/` and `services/http/`. */
function withParents(folder: string): readonly string[] {
  return folder === '.' ? [] : [...withParents(dirname(folder)), `${folder}/`]
}

/** The first cells of the rows of the table "Folders". */
function rowsOfTable(): readonly string[] {
  const [, section = ''] = readFileSync('docs/architecture.md', 'utf8').split('\n## Folders\n')
  const rows = (section.split('\n## ')[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
  return rows.map((row) => row.split(' | ')[0]?.slice('| '.length) ?? '')
}
