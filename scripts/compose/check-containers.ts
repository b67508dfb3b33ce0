import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkCaddyfile } from './check-caddyfile.ts'
import { checkDockerfile } from './check-dockerfile.ts'
import { checkRules, type KnownSettings } from './check-rules.ts'
import { mergeComposeFiles } from './merge-compose-files.ts'
import { readComposeFile, type ComposeFile } from './read-compose-file.ts'
import { createSchemaCheck } from './validate-schema.ts'

/** The files of each Compose project: to try the product, and in production. */
export const composeProjects = [
  ['docker-compose.yml'],
  ['docker-compose.yml', 'docker-compose.production.yml'],
] as const

/**
 * Checks the containers without an engine: each file against Compose's schema, each project against
 * the product's rules, the Dockerfile against the repository, and the proxy's configuration. `read`
 * returns the text of a file at the repository's root. Returns the problems as sentences.
 */
export function checkContainers(
  root: string,
  settings: KnownSettings,
  read = (name: string) => readFileSync(join(root, name), 'utf8'),
): readonly string[] {
  const files = [...new Set(composeProjects.flat())].map((name) =>
    readComposeFile(name, read(name)),
  )
  const broken = files.flatMap(({ problems }) => problems)
  if (broken.length > 0) return broken
  const known = files.flatMap(({ file }) => (file === null ? [] : [file]))
  const wrong = known.flatMap(createSchemaCheck())
  // The rules assume files that follow the schema.
  if (wrong.length > 0) return wrong
  return [
    ...composeProjects.flatMap((names) => checkProject(names, known, settings, root)),
    ...checkDockerfile(read('Dockerfile'), read('.dockerignore'), root),
    ...checkCaddyfile(read('scripts/compose/Caddyfile')),
  ]
}

function checkProject(
  names: readonly string[],
  files: readonly ComposeFile[],
  settings: KnownSettings,
  root: string,
): string[] {
  const project = mergeComposeFiles(files.filter(({ name }) => names.includes(name)))
  return checkRules(project, settings, (path) => existsSync(join(root, path))).map(
    (problem) => `${names.join(' + ')}: ${problem}`,
  )
}
