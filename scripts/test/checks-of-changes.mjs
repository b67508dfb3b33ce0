import { checks, types } from './checks.mjs'

const isCode = (file) => /\.(ts|tsx|mts|mjs)$/.test(file)
const isFormatted = (file) => isCode(file) || /\.(css|html|json|jsonc|ya?ml)$/.test(file)

/** Files on which every test or check depends, but which no test imports. */
const ofAll =
  /^(jest\.config\.mjs|package(-lock)?\.json|tsconfig[\w.]*\.json|tests\/support\/jest\/)/

/**
 * What the changes reach. `checks` are names with the program and its arguments; `related` are the
 * files whose importing tests run. `left` is a sentence about what only `npm test` runs, or null.
 *
 * @param {readonly string[]} changed paths that exist, relative to the root
 * @param {readonly string[]} removed paths that exist no more
 */
export function checksOfChanges(changed, removed) {
  const formatted = changed.filter(isFormatted)
  const code = changed.filter(isCode)
  const changesCode = code.length > 0 || removed.some(isCode)
  const shared = changed.find((file) => ofAll.test(file))
  const whole = (...names) => names.map((name) => [name, ...checks[name]])
  const anyOf = (pattern) => [...changed, ...removed].some((file) => pattern.test(file))
  return {
    checks: [
      ...(formatted.length > 0 ? [['format', ...checks.format, ...formatted]] : []),
      ...(changesCode ? [['types', ...types], ...whole('import rules', 'forbidden lines')] : []),
      ...(changesCode || anyOf(/\.md$|^\.(git|docker)ignore$|^package-lock\.json$/)
        ? whole('repository')
        : []),
      ...(anyOf(/^contracts\/events\//) ? whole('stored schemas') : []),
      ...(anyOf(/^(contracts\/events|services|projections)\//) ? whole('consumers of events') : []),
      ...(anyOf(/^\.dependency-cruiser\.mjs$|^scripts\/(lint\/|check-)/)
        ? whole('planted imports')
        : []),
      ...(code.length > 0 ? [['lint', ...checks.lint, ...code]] : []),
    ],
    related: code,
    left: shared === undefined ? null : `${shared} concerns every test: run npm test.`,
  }
}
