import type { z } from 'zod'

/** Status lines, /readyz and the console show the reason for each of many streams. */
const maxNamed = 3

/** What a contract refuses, in one line: `amounts: Invalid input …; lines: …; and 9 more.` */
export function issuesInALine({ issues }: Pick<z.ZodError, 'issues'>): string {
  const named = issues
    .slice(0, maxNamed)
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`))
  const left = issues.length - named.length
  return `${[...named, ...(left > 0 ? [`and ${left} more`] : [])].join('; ')}.`
}
