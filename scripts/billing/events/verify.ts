import { Command } from 'commander'
import { verifyLog, type LogProblem } from '#services/event-store/audit/verify-log'
import { formatCount } from '#services/foundation/format-count'
import { asOperator } from '#services/operations/operator-context'
import { showProgress } from '../progress.ts'
import { collectSignedHeads } from './collect-signed-heads.ts'

export function verifyCommand(): Command {
  return new Command('verify')
    .description('Verify the hash chain of every stream and the signed heads.')
    .option(
      '--seals <file...>',
      "files of signed heads that 'events seal --out' wrote; those in the database are always checked",
    )
    .addHelpText(
      'after',
      '\nNames the first changed, removed or inserted event of each stream. If there is one, the exit code is 1.',
    )
    .action(({ seals = [] }: { seals?: readonly string[] }) =>
      asOperator(async ({ config, pool, store }) => {
        const signedHeads = await collectSignedHeads(pool, seals)
        const progress = showProgress({
          doing: 'Verifying',
          unit: 'events',
          total: await store.countAfter(null),
        })
        const verified = await verifyLog(store, {
          signedHeads,
          auditKey: config.auditKey,
          onEvents: progress.advance,
        }).finally(progress.end)
        const streams = formatCount(verified.heads.size)
        if (verified.problems.length > 0) {
          printProblems(verified.problems)
          process.stdout.write(
            `The verification found changes in ${formatCount(verified.problems.length)} of ${streams} streams.\n`,
          )
          process.exitCode = 1
          return
        }
        const attested =
          signedHeads.length === 0
            ? "There are no signed heads, so a truncated tail is not detected. 'events seal' signs the heads."
            : `The log contains all ${formatCount(signedHeads.length)} signed heads.`
        process.stdout.write(
          `${formatCount(verified.events)} events in ${streams} streams: every chain holds. ${attested}\n`,
        )
      }),
    )
}

export function printProblems(problems: readonly LogProblem[]): void {
  for (const { stream, text } of problems) process.stdout.write(`${stream}: ${text}\n`)
}
