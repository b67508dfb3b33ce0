import { Command } from 'commander'
import { systemClock } from '#services/clock'
import { sealLog } from '#services/event-store/seal-log'
import { writeSealedHeads } from '#services/event-store/postgres/sealed-head-table'
import type { SealedHead } from '#services/event-store/sealed-heads'
import { asOperator } from '#services/operator-context'
import { showProgress } from '../progress.ts'
import { writeWholeFile } from '../write-file.ts'
import { readSeals } from './read-seals.ts'
import { printProblems } from './verify.ts'

export function sealCommand(): Command {
  return new Command('seal')
    .description("Verifies the log and signs the last event of every stream with AUDIT_KEY, so that 'verify' sees a cut tail or a rewritten stream.")
    .option('--out <file>', 'also write the seals to a file, to keep where whoever changes the database cannot reach')
    .action(({ out }: { out?: string }) =>
      asOperator(async ({ config, pool, store }) => {
        const options = { sealed: await readSeals(pool, []), auditKey: config.auditKey }
        const progress = showProgress({ doing: 'Verifying and sealing', unit: 'events', total: await store.countAfter(null) })
        const result = await sealLog(store, systemClock.now().toISOString(), { ...options, onEvents: progress.advance }).finally(progress.end)
        if (result.kind === 'refused') {
          printProblems(result.problems)
          process.stdout.write('Nothing was sealed: the log is not as it was written.\n')
          process.exitCode = 1
          return
        }
        await writeSealedHeads(pool, result.heads)
        if (out !== undefined) await writeWholeFile(out, linesOf(result.heads))
        process.stdout.write(`Sealed the heads of ${result.heads.length} streams (${result.events} events)${out === undefined ? '' : `, and wrote them to ${out}`}.\n`)
      }))
}

async function* linesOf(heads: readonly SealedHead[]): AsyncGenerator<string> {
  for (const head of heads) yield `${JSON.stringify(head)}\n`
}
