const tsx = 'node_modules/tsx/dist/cli.mjs'

/**
 * The result is kept, so that a repeated check reads only what changed. One checker: each further
 * one would check the types of the libraries again.
 */
export const types = [
  'node_modules/typescript/bin/tsc',
  '-p',
  '.',
  '--checkers',
  '1',
  '--incremental',
  '--tsBuildInfoFile',
  '.cache/types.json',
]

/**
 * The checks that read files only: a name, the program and its arguments. Each one is printed only
 * if it fails. `npm run lint` and `npm test` run them all.
 */
export const checks = {
  format: ['node_modules/oxfmt/bin/oxfmt', '--check'],
  lint: ['node_modules/oxlint/bin/oxlint', '--type-aware', '--deny-warnings'],
  'forbidden lines': ['scripts/check-lines.mjs'],
  'import rules': ['scripts/check-dependencies.mjs'],
  'planted imports': ['scripts/check-planted-imports.mjs'],
  'unused code': ['node_modules/knip/bin/knip.js', '--treat-config-hints-as-errors'],
  'stored schemas': [tsx, 'scripts/stored-schemas.ts', '--check'],
  'consumers of events': [tsx, 'scripts/event-matrix.ts', '--check'],
  repository: [tsx, 'scripts/check-repository.ts'],
}
