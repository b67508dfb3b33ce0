import { Command } from 'commander'
import { noteDone, noteFailed, recordingFailure } from '#services/event-store/audit/integrity-work'
import { readSeals } from '#services/event-store/audit/seal-table'
import { refuseUnfinished } from '#services/event-store/transfer/unfinished-restore'
import { countOf, formatCount } from '#services/foundation/format-count'
import { startOperatorClock } from '#services/operations/operator-clock'
import { asOperator, type OperatorContext } from '#services/operations/operator-context'
import { sealIntact } from '#services/reports/integrity/verify-integrity'
import { integrityParts } from './integrity-parts.ts'
import { appendToManifest, readManifest, refuseOtherManifest } from './manifest.ts'
import { printProblems } from './print-problems.ts'
import { printPublications } from './print-publications.ts'
import { warn } from '../warn.ts'
import { verifyWithProgress } from './verify-with-progress.ts'
import { print } from '../print.ts'

export function sealCommand(): Command {
  return new Command('seal')
    .description('Verify the log and add a signed seal of its state to the manifest.')
    .option(
      '--manifest <file>',
      'also append the seals to a file, one line of JSON each, to publish',
    )
    .addHelpText(
      'after',
      [
        '',
        "A seal has the Merkle root of the last events of all streams, the hash of the seal before it and an Ed25519 signature. With seals, 'events verify' also detects a truncated tail and a removed stream.",
        "Every seal is also published to SEAL_DIRECTORY and SEAL_PROGRAM, if they are set. If that fails, the exit code is 1, and the next 'events seal' or 'events publish' tries again.",
        'The manifest contains no personal data. Keep it where the owner of the database cannot change it.',
        'Memory is constant at any number of streams. Temporary files are in the directory that TMPDIR names.',
      ].join('\n'),
    )
    .action(({ manifest }: { manifest?: string }) =>
      asOperator(async (context) => {
        await seal(context, manifest ?? null)
      }),
    )
}

/** A seal verifies the log first. */
const works = ['verify', 'seal'] as const

/** Adds a seal. False if the log does not verify. */
export async function seal(context: OperatorContext, manifest: string | null): Promise<boolean> {
  const { pool, store } = context
  await refuseUnfinished(pool)
  const published = manifest === null ? [] : ((await readManifest(manifest)) ?? [])
  if (manifest !== null) {
    const stored = (await readSeals(pool)).flatMap((row) => row.seal ?? [])
    refuseOtherManifest(manifest, published, stored)
  }
  const clock = await startOperatorClock(context)
  try {
    const parts = await integrityParts(context, [])
    const events = await store.countAfter(null)
    const result = await recordingFailure(pool, works, warn, () =>
      verifyWithProgress({ doing: 'Verifying', events }, (observed) =>
        sealIntact(parts, clock, observed),
      ),
    )
    if (result.kind === 'refused') {
      printProblems(result.verified)
      print('Nothing was sealed: a log with a problem is not attested.\n')
      const failure = 'The verification found changes.'
      for (const work of works) await noteFailed(pool, work, failure, warn)
      process.exitCode = 1
      return false
    }
    const { sequence, heads, changed, fingerprint } = result.seal
    print(
      `Seal ${formatCount(sequence)} covers ${countOf(result.seal.events, 'event')} in ${countOf(heads.count, 'stream')}; ${countOf(changed.count, 'stream')} changed since the seal before it.\nThe fingerprint of the public key is ${fingerprint}.\n`,
    )
    for (const work of works) await noteDone(pool, work, warn)
    printPublications(result.publications)
    if (manifest === null) return true
    const added = result.seals.slice(published.length)
    await appendToManifest(manifest, added)
    print(
      `${manifest} has ${countOf(result.seals.length, 'seal')}, ${formatCount(added.length)} of them new. Publish it apart from the database: 'billing events verify --manifest ${manifest}' reads it.\n`,
    )
    return true
  } finally {
    await clock.close()
  }
}
