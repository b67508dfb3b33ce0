import { readFileSync } from 'node:fs'
import { z } from 'zod'

export const source = 'docs/folders.json'
export const page = 'docs/folders.md'

type FolderLines = Readonly<Record<string, string>>

const introduction = `# Folders

This page says in one line what each folder has, for developers. \`npm run folders\` writes it from
[folders.json](folders.json). Do not edit the page. Which folders import which is in
[architecture](architecture.md#the-groups-and-who-may-import-whom).
`

/**
 * The line of each folder, by its path without a slash at the end.
 *
 * @throws Error if a folder has two lines, which a merge can leave: JSON.parse keeps the last one.
 */
export function folderLines(): FolderLines {
  const text = readFileSync(source, 'utf8')
  const keys = [...text.matchAll(/^ *"([^"]+)":/gm)].map(([, key = '']) => key)
  const twice = keys.find((key, at) => keys.indexOf(key) !== at)
  if (twice !== undefined) throw new Error(`${source} has ${twice} twice: remove one line.`)
  return z.record(z.string(), z.string()).parse(JSON.parse(text))
}

/** The text of docs/folders.json: sorted by path, so that each line has one place. */
export function renderSource(lines: FolderLines): string {
  const sorted = Object.entries(lines).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`
}

/** The Markdown of docs/folders.md: one table per folder of the root. */
export function renderFolders(lines: FolderLines): string {
  const sorted = Object.keys(lines).toSorted((a, b) => (a < b ? -1 : 1))
  const areas = new Set(sorted.map(areaOf))
  return [introduction, ...[...areas].map((area) => section(area, sorted, lines))].join('\n')
}

function section(area: string, folders: readonly string[], lines: FolderLines): string {
  const rows = folders
    .filter((folder) => areaOf(folder) === area)
    .map((folder) => `| [\`${folder}/\`](../${folder}) | ${lines[folder]} |`)
  return `## ${area}\n\n| folder | contents |\n| --- | --- |\n${rows.join('\n')}\n`
}

const areaOf = (folder: string) => folder.split('/')[0] ?? folder
