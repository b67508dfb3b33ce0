import { spawnSync } from 'node:child_process'

const git = (...args: readonly string[]) => spawnSync('git', args, { encoding: 'utf8' })

/** False in an unpacked archive of the repository. */
export const isCheckout = git('rev-parse', '--is-inside-work-tree').status === 0

/** The paths of the files that Git tracks, relative to the root. */
export function trackedFiles(...options: readonly string[]): readonly string[] {
  return git('ls-files', ...options)
    .stdout.split('\n')
    .filter((file) => file !== '')
}

export const isTracked = (path: string): boolean =>
  git('ls-files', '--error-unmatch', path).status === 0
export const isIgnored = (path: string): boolean =>
  git('check-ignore', '--quiet', path).status === 0
