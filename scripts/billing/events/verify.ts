import { Command } from 'commander'
import { readSealedHeads, readSeals } from '#services/event-store/audit/seal-table'
import type { SealSource } from '#services/event-store/audit/check-seals'
import { isIntact, verifyLog } from '#services/event-store/audit/verify-log'
import { countOf, formatCount } from '#services/foundation/format-count'
import { StartupError } from '#services/foundation/startup-error'
import { asOperator } from '#services/operations/operator-context'
import { readManifest } from './manifest.ts'
import { printProblems } from './print-problems.ts'
import { verifyWithProgress } from './verify-with-progress.ts'

export function verifyCommand(): Command {
  return new Command('verify')
    .description('Verify the hash chain of every stream, the MAC of every event and the seals.')
    .option(
      '--manifest <file...>',
      "files that 'events seal --manifest' wrote; the seals in the database are always checked",
    )
    .addHelpText(
      'after',
      [
        '',
        'Names the first changed, removed, inserted or forged event of each stream, and each seal that does not match. If there is one, the exit code is 1.',
        'Memory is constant at any number of streams. Temporary files are in the directory that TMPDIR names.',
      ].join('\n'),
    )
    .action(({ manifest = [] }: { manifest?: readonly string[] }) => verify(manifest))
}

async function verify(files: readonly string[]): Promise<void> {
  const published = await Promise.all(files.map(sourceOf))
  await asOperator(async ({ config, pool, store }) => {
    const seals = [{ name: 'the database', seals: await readSeals(pool) }, ...published]
    const sealedHeads = readSealedHeads(pool)
    const { auditKey } = config
    const verified = await verifyWithProgress(
      { doing: 'Verifying', events: await store.countAfter(null) },
      (observed) =>
        verifyLog(store, { ...observed, seals, sealedHeads, auditKey }, async (found) => found),
    )
    if (!isIntact(verified)) {
      printProblems(verified)
      process.exitCode = 1
      return
    }
    const last = verified.seals.at(-1)
    const attested =
      last === undefined
        ? "There is no seal, so a truncated tail and a removed stream are not detected. 'events seal' seals the log."
        : `The log has the state of ${last.sequence === 1 ? 'its seal' : `all ${formatCount(last.sequence)} seals`}; ${formatCount(verified.events - last.events)} events came after the last one.`
    process.stdout.write(
      `${countOf(verified.events, 'event')} in ${countOf(verified.streams, 'stream')}: every chain holds and every MAC is genuine. ${attested}\n`,
    )
  })
}

async function sourceOf(file: string): Promise<SealSource> {
  const seals = await readManifest(file)
  if (seals === null)
    throw new StartupError(
      `There is no manifest ${file}. Name a file that 'events seal --manifest' wrote.`,
    )
  return { name: file, seals: seals.map((seal) => ({ sequence: seal.sequence, seal })) }
}
