import { writeFileSync } from 'node:fs'
import {
  folderLines,
  page,
  renderFolders,
  renderSource,
  source,
} from './repository/folder-lines.ts'

/*
 * `npm run folders` sorts docs/folders.json, which has a line per folder, and writes the page
 * docs/folders.md from it. `npm run lint` compares both.
 */

const lines = folderLines()
writeFileSync(source, renderSource(lines))
writeFileSync(page, renderFolders(lines))
console.log(`${page} has the lines of ${Object.keys(lines).length} folders.`)
