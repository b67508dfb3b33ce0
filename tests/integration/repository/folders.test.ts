import { describe, expect, it } from '@jest/globals'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'

const listed = spawnSync('git', ['ls-files'], { encoding: 'utf8' })
const inCheckout =
  listed.status === 0
    ? it
    : (name: string, _run: () => void) =>
        it.skip(`${name} [this is no git checkout]`, () => undefined)

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

describe('the table of folders in docs/architecture.md', () => {
  inCheckout('has one row for each folder of the repository, and no other row', () => {
    const folders = new Set(
      listed.stdout
        .trim()
        .split('\n')
        .flatMap((file) => withParents(dirname(file))),
    )
    expect([...rowsOfTable()].sort()).toEqual([...folders].map((folder) => `\`${folder}\``).sort())
  })
})
