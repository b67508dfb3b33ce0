import { Command } from 'commander'
import { signHeads } from '#services/event-store/audit/sign-heads'
import type { SignedHead } from '#services/event-store/audit/signed-head'
import { writeSignedHeads } from '#services/event-store/audit/signed-head-table'
import { systemClock } from '#services/foundation/clock'
import { formatCount } from '#services/foundation/format-count'
import { StartupError } from '#services/foundation/startup-error'
import { asOperator } from '#services/operations/operator-context'
import { showProgress } from '../progress.ts'
import { refuseExisting, standardOutput, writeFileAtomically } from '../write-file.ts'
import { collectSignedHeads } from './collect-signed-heads.ts'
import { sizeAndChecksum } from './size-and-checksum.ts'
import { printProblems } from './verify.ts'

interface Options {
  readonly out?: string
  readonly force: boolean
}

export function sealCommand(): Command {
  return new Command('seal')
    .description('Verify the log and sign the head of every stream with AUDIT_KEY.')
    .option(
      '--out <file>',
      'also write the signed heads to a new file; keep it where the owner of the database cannot change it',
    )
    .option('--force', 'replace the file of --out', false)
    .addHelpText(
      'after',
      "\nThe head is the last event of a stream. With signed heads, 'events verify' also detects a truncated tail and a rewritten stream.",
    )
    .action((options: Options) => seal(options))
}

async function seal({ out, force }: Options): Promise<void> {
  // Earlier signed heads may be the only proof that the database was changed since.
  if (out !== undefined) await refuseExisting(out, { force })
  await asOperator(async ({ config, pool, store }) => {
    const options = { signedHeads: await collectSignedHeads(pool, []), auditKey: config.auditKey }
    const progress = showProgress({
      doing: 'Verifying and signing',
      unit: 'events',
      total: await store.countAfter(null),
    })
    const result = await signHeads(store, systemClock.now().toISOString(), {
      ...options,
      onEvents: progress.advance,
    }).finally(progress.end)
    if (result.kind === 'refused') {
      printProblems(result.problems)
      process.stdout.write('Nothing was signed: the log was changed.\n')
      process.exitCode = 1
      return
    }
    await writeSignedHeads(pool, result.heads)
    const signedHeads = `Signed the heads of ${formatCount(result.heads.length)} streams (${formatCount(result.events)} events)`
    if (out === undefined) {
      process.stdout.write(`${signedHeads}.\n`)
      return
    }
    const written = await writeFileAtomically(out, linesOf(result.heads), { force }).catch(
      (error: unknown) => {
        if (!(error instanceof StartupError)) throw error
        throw new StartupError(
          `${error.message}\nThe signed heads are in the database: run the command again with another --out to write them to a file.`,
        )
      },
    )
    if (out === standardOutput) {
      process.stderr.write(`${signedHeads}, and wrote them to standard output.\n`)
      return
    }
    process.stdout.write(
      `${signedHeads}, and wrote them to ${out} ${sizeAndChecksum(written)}.\nKeep that file away from the database: 'billing events verify --seals ${out}' reads it.\n`,
    )
  })
}

async function* linesOf(heads: readonly SignedHead[]): AsyncGenerator<string> {
  for (const head of heads) yield `${JSON.stringify(head)}\n`
}
