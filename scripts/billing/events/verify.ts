import { Command } from 'commander'
import { verifyLog, type LogProblem } from '#services/event-store/audit/verify-log'
import { asOperator } from '#services/operations/operator-context'
import { showProgress } from '../progress.ts'
import { collectSignedHeads } from './collect-signed-heads.ts'

export function verifyCommand(): Command {
  return new Command('verify')
    .description('Verify the hash chain of every stream and the seals.')
    .option(
      '--seals <file...>',
      "files that 'events seal --out' wrote; the seals in the database are always checked",
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
        const streams = verified.heads.size
        if (verified.problems.length > 0) {
          printProblems(verified.problems)
          process.stdout.write(
            `The verification found changes in ${verified.problems.length} of ${streams} streams.\n`,
          )
          process.exitCode = 1
          return
        }
        const attested =
          signedHeads.length === 0
            ? "There are no seals: without them a truncated tail is not detected. 'events seal' creates seals."
            : `The log contains all ${signedHeads.length} sealed heads.`
        process.stdout.write(
          `${verified.events} events in ${streams} streams: every chain holds. ${attested}\n`,
        )
      }),
    )
}

export function printProblems(problems: readonly LogProblem[]): void {
  for (const { stream, text } of problems) process.stdout.write(`${stream}: ${text}\n`)
}
