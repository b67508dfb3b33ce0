import type { VerifiedLog } from '#services/event-store/audit/verify-log'
import { countOf, formatCount } from '#services/foundation/format-count'
import { printable } from '#services/foundation/printable'
import { print } from '../print.ts'

/** Prints every problem in a line. The last line has the counts. */
export function printProblems(verified: VerifiedLog): void {
  const { problems, streamsWithProblems, sealProblems, streams, isOfAnotherKey, checked } = verified
  const more = streamsWithProblems - problems.length
  const found = [
    `changes in ${formatCount(streamsWithProblems)} of ${countOf(streams, 'stream')}`,
    ...(sealProblems.length === 0 ? [] : [`${countOf(sealProblems.length, 'problem')} of seals`]),
    ...checked.flatMap((each) =>
      each.problems.length === 0
        ? []
        : [`${countOf(each.problems.length, 'problem')} of ${each.subject}`],
    ),
  ]
  const lines = [
    ...(isOfAnotherKey
      ? [
          'No event has a MAC of this AUDIT_KEY: the log was written with another AUDIT_KEY, or every event is forged.',
        ]
      : []),
    ...problems.map(({ stream, text }) => printable(`${stream}: ${text}`)),
    ...(more === 0 ? [] : [`${formatCount(more)} more streams with changes are not listed.`]),
    ...sealProblems.map(({ sequence, text }) => `Seal ${sequence}: ${text}`),
    ...checked.flatMap((each) => each.problems),
    `The verification found ${found.join(' and ')}.`,
  ]
  print(`${lines.join('\n')}\n`)
}
