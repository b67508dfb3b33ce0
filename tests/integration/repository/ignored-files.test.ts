import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'

const git = (...args: readonly string[]) => spawnSync('git', args, { encoding: 'utf8' })
const inCheckout =
  git('rev-parse', '--is-inside-work-tree').status === 0
    ? it
    : (name: string, _run: () => void) =>
        it.skip(`${name} [this is no git checkout]`, () => undefined)

const pages = [
  'README.md',
  'docker-compose.yml',
  'docker-compose.production.yml',
  ...readdirSync('docs')
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
]

/**
 * Patterns for the paths to which the docs' commands and settings write data or secrets of the
 * operator.
 */
const written = [
  /--(?:out|manifest) (\S+)/g,
  /\bbackup (\S+)/g,
  /\brestore (\S+)/g,
  /\bimport (\S+\.\w+)/g,
  /\bDATA_DIR=(\S+)/g,
  /\bmkdir (?:-m 700 )?(\S+)/g,
  /\bsecrets (?:--cluster )?(\.\S+)/g,
  /"\$PWD\/([^":]+):/g,
  /file: (\.\/\S+)/g,
  /`(\.env|\.data)`/g,
]

function pathsIn(text: string): readonly string[] {
  return written.flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([, path = '']) => path.replace(/[`;,.)]+$/, '')),
  )
}

/** False for an absolute path, for a placeholder and for a word of a sentence. */
const isInCheckout = (path: string) =>
  /^[.\w]/.test(path) && (/[./]/.test(path) || ['backups', 'secrets'].includes(path))
/** True for a path in a `file:` of a compose file that names a file of the repository. */
const isTracked = (path: string) => git('ls-files', '--error-unmatch', join(path)).status === 0
const paths = [...new Set(pages.flatMap((page) => pathsIn(readFileSync(page, 'utf8'))))]
  .filter((path) => isInCheckout(path) && !isTracked(path))
  .sort()

describe('git', () => {
  inCheckout(
    'ignores every file and folder that an operator creates in the checkout by following the docs',
    () => {
      expect(paths).toEqual(
        expect.arrayContaining([
          '.data',
          '.data-restored',
          '.env',
          './secrets',
          'backups',
          'backups/2026-03-03',
          'log.ndjson.gz',
          'seals.ndjson',
        ]),
      )
      expect(
        paths.filter((path) => git('check-ignore', '--quiet', join(path)).status !== 0),
      ).toEqual([])
    },
  )

  inCheckout('ignores the partial file that a killed command leaves beside such a file', () => {
    for (const path of [
      'log.ndjson.gz.0a1b2c3d.partial',
      'backups/2026-03-03/billing-backup.ndjson.gz.0a1b2c3d.partial',
    ])
      expect([path, git('check-ignore', '--quiet', path).status]).toEqual([path, 0])
  })

  inCheckout('ignores no file of the repository', () => {
    expect(git('ls-files', '--cached', '--ignored', '--exclude-standard').stdout).toBe('')
  })
})
