import { Command } from 'commander'
import type { SealSource } from '#services/event-store/audit/check-seals'
import { noteDone, noteFailed, recordingFailure } from '#services/event-store/audit/integrity-work'
import { isIntact } from '#services/event-store/audit/verify-log'
import { countOf, formatCount } from '#services/foundation/format-count'
import { StartupError } from '#services/foundation/startup-error'
import { asOperator } from '#services/operations/operator-context'
import { verifyIntegrity } from '#services/reports/integrity/verify-integrity'
import { integrityParts } from './integrity-parts.ts'
import { readManifest } from './manifest.ts'
import { printProblems } from './print-problems.ts'
import { warn } from '../warn.ts'
import { verifyWithProgress } from './verify-with-progress.ts'
import { print } from '../print.ts'

export function verifyCommand(): Command {
  return new Command('verify')
    .description(
      'Verify the hash chain of every stream, the MAC of every event, the seals, the closed months and the personal keys.',
    )
    .option(
      '--manifest <file...>',
      "files that 'events seal --manifest' wrote; the seals in the database are always checked",
    )
    .addHelpText(
      'after',
      [
        '',
        'Names the first changed, removed, inserted or forged event of each stream, each seal that does not match, each closed month that the log no longer has, and each personal key that is missing without an erasure. If there is one, the exit code is 1.',
        'Published seals find a log that was cut back together with its seals: name their manifest with --manifest, or set SEAL_DIRECTORY or SEAL_PROGRAM with SEAL_LIST_PROGRAM; the log is then compared with them at each run. A seal that is not published yet is reported, too.',
        'Memory is constant at any number of streams. Temporary files are in the directory that TMPDIR names.',
      ].join('\n'),
    )
    .action(({ manifest = [] }: { manifest?: readonly string[] }) => verify(manifest))
}

async function verify(files: readonly string[]): Promise<void> {
  const published = await Promise.all(files.map(sourceOf))
  await asOperator(async (context) => {
    const parts = await integrityParts(context, published)
    const events = await context.store.countAfter(null)
    const verified = await recordingFailure(context.pool, ['verify'], warn, () =>
      verifyWithProgress({ doing: 'Verifying', events }, (observed) =>
        verifyIntegrity(parts, observed),
      ),
    )
    if (!isIntact(verified)) {
      printProblems(verified)
      await noteFailed(context.pool, 'verify', 'The verification found changes.', warn)
      process.exitCode = 1
      return
    }
    await noteDone(context.pool, 'verify', warn)
    const proven = verified.checked.flatMap((each) => each.proven ?? [])
    const last = verified.seals.at(-1)
    const attested =
      last === undefined
        ? "There is no seal, so a truncated tail and a removed stream are not detected. 'events seal' seals the log."
        : `The log has the state of ${last.sequence === 1 ? 'its seal' : `all ${formatCount(last.sequence)} seals`}; ${formatCount(verified.events - last.events)} events came after the last one.`
    const shown = published.map(
      ({ name, seals }) => `The manifest ${name} has ${formatCount(seals.length)} of these seals.`,
    )
    print(
      `${countOf(verified.events, 'event')} in ${countOf(verified.streams, 'stream')}: every chain holds and every MAC is genuine. ${[attested, ...shown, ...proven].join(' ')}\n`,
    )
  })
}

async function sourceOf(file: string): Promise<SealSource> {
  const seals = await readManifest(file)
  if (seals === null)
    throw new StartupError(
      `There is no manifest ${file}. Name a file that 'events seal --manifest' wrote.`,
    )
  if (seals.length === 0)
    throw new StartupError(
      `The manifest ${file} is empty, so it proves nothing. Name a copy with the published seals.`,
    )
  return { name: file, seals: seals.map((seal) => ({ sequence: seal.sequence, seal })) }
}
