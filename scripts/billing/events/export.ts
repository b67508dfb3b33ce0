import { Command } from 'commander'
import { systemClock } from '#services/clock'
import { exportLog } from '#services/event-store/export-log'
import { readKeys } from '#services/event-store/postgres/key-table'
import { asOperator } from '#services/operator-context'
import { showProgress } from '../progress.ts'
import { writeWholeFile } from '../write-file.ts'

export function exportCommand(): Command {
  return new Command('export')
    .description('Writes the log as lines of JSON, as it is stored (personal fields encrypted), with a checksum in the last line.')
    .option('--with-keys', 'add the persons\' keys, wrapped by MASTER_KEY; without them an import reads personal fields as erased', false)
    .option('--out <file>', 'a file; packed when its name ends in .gz', '-')
    .addHelpText('after', '\nWithout --out it goes to standard output.')
    .action(({ withKeys, out }: { withKeys: boolean; out: string }) =>
      asOperator(async ({ pool, store }) => {
        const progress = showProgress({ doing: 'Exporting', unit: 'events', total: await store.countAfter(null) })
        const text = exportLog(store, {
          exportedAt: systemClock.now().toISOString(), keys: withKeys ? readKeys(pool) : null, onEvents: progress.advance,
        })
        await writeWholeFile(out, text).finally(progress.end)
      }))
}
