import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isIgnored, isTracked, trackedFiles } from './git.ts'

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

/** Some that the pages name, so that a wrong pattern does not find nothing. */
const known = [
  '.data',
  '.data-restored',
  '.env',
  './secrets',
  'backups',
  'backups/2026-03-03',
  'log.ndjson.gz',
  'seals.ndjson',
]

/** What a killed command leaves beside its file. */
const partial = [
  'log.ndjson.gz.0a1b2c3d.partial',
  'backups/2026-03-03/billing-backup.ndjson.gz.0a1b2c3d.partial',
]

/**
 * What an operator creates in the checkout by following the docs and Git does not ignore, and what
 * Git ignores although it tracks it.
 */
export function problemsOfIgnoredFiles(): readonly string[] {
  const written = [...new Set(pages.flatMap((page) => pathsIn(readFileSync(page, 'utf8'))))].filter(
    (path) => isInCheckout(path) && !isTracked(join(path)),
  )
  return [
    ...known
      .filter((path) => !written.includes(path))
      .map(
        (path) => `No page names ${path} any more: correct scripts/repository/written-paths.ts.`,
      ),
    ...[...written, ...partial]
      .filter((path) => !isIgnored(join(path)))
      .map(
        (path) => `Git does not ignore ${path}, which an operator creates by following the docs.`,
      ),
    ...trackedFiles('--cached', '--ignored', '--exclude-standard').map(
      (path) => `Git ignores ${path}, which is a file of the repository.`,
    ),
  ]
}
