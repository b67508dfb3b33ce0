import { Command } from 'commander'
import { readEmailKeyHistory } from '#services/event-store/encryption/email-key-history'
import { readKeys } from '#services/event-store/encryption/key-table'
import { exportLog } from '#services/event-store/transfer/export-log'
import { refuseUnfinished } from '#services/event-store/transfer/unfinished-restore'
import { systemClock } from '#services/foundation/clock'
import { countOf, formatCount } from '#services/foundation/format-count'
import { StartupError } from '#services/foundation/startup-error'
import { asOperator } from '#services/operations/operator-context'
import { emailKeyInUse } from '#services/keys/email-key-in-use'
import { showProgress } from '../progress.ts'
import { refuseExisting, standardOutput, writeFileAtomically } from '../write-file.ts'
import { sizeAndChecksum } from './size-and-checksum.ts'

interface Options {
  readonly withKeys: boolean
  readonly out: string
  readonly force: boolean
}

export function exportCommand(): Command {
  return new Command('export')
    .description('Export the log as lines of JSON with a checksum in the last line.')
    .option(
      '--with-keys',
      'add the personal keys, wrapped by MASTER_KEY; without them an import reads personal fields as [erased]',
      false,
    )
    .option(
      '--out <file>',
      'a new file; compressed if its name ends in .gz; - is standard output',
      standardOutput,
    )
    .option('--force', 'replace the file of --out', false)
    .addHelpText(
      'after',
      '\nPersonal fields stay encrypted. Without --out the export goes to standard output, and its result to standard error.',
    )
    .action((options: Options) => writeExport(options))
}

async function writeExport({ withKeys, out, force }: Options): Promise<void> {
  await refuseExisting(out, { force })
  await asOperator(async ({ pool, store }) => {
    await refuseUnfinished(pool)
    if (withKeys && ((await emailKeyInUse(pool))?.former ?? null) !== null)
      throw new StartupError(
        "A rotation of EMAIL_HMAC_KEY has not ended, and an import could not continue it. Run 'billing keys rotate --email', then export. Nothing was written.",
      )
    const progress = showProgress({
      doing: 'Exporting',
      unit: 'events',
      total: await store.countAfter(null),
    })
    let [events, keys] = [0, 0]
    const text = exportLog(store, {
      exportedAt: systemClock.now().toISOString(),
      keys: withKeys ? readKeys(pool) : null,
      emailKey: withKeys ? await readEmailKeyHistory(pool) : null,
      onEvents: (count) => {
        events += count
        progress.advance(count)
      },
      onKeys: (count) => (keys += count),
    })
    const written = await writeFileAtomically(out, text, { force }).finally(progress.end)
    const isFile = out !== standardOutput
    const result = [
      `Exported ${countOf(events, 'event')} to ${isFile ? out : 'standard output'} ${sizeAndChecksum(written)}.`,
      withKeys
        ? `The export contains ${formatCount(keys)} personal keys, wrapped by MASTER_KEY. An import needs the same MASTER_KEY and EMAIL_HMAC_KEY.`
        : 'The export contains no personal keys: an import reads personal fields as [erased]. --with-keys adds the keys.',
      ...(isFile
        ? [`Next: with another DATABASE_URL or DATA_DIR, 'billing events import ${out}'.`]
        : []),
    ]
    ;(isFile ? process.stdout : process.stderr).write(`${result.join('\n')}\n`)
  })
}
