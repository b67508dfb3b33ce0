import { z } from 'zod'
import { verifyLog, type OpenVerifiedLog } from '#services/event-store/audit/verify-log'
import { masterKeysOf } from '#services/event-store/encryption/master-keys'
import { exportedLog } from '#services/event-store/transfer/exported-log'
import { parseLine, readChecksummed } from '#services/foundation/checksummed-lines'
import { StartupError } from '#services/foundation/startup-error'
import type { ProductKeys } from '#services/keys/key-fingerprints'
import { isRowOf, sequenceLine } from './backup-format.ts'
import { sealedHeadsIn, sealsIn } from './backup-seals.ts'
import { createBackupKeyCheck, keyLine, type BackupKeyCheck } from './check-backup-keys.ts'
import { checkFile, refuseOtherKeys } from './restore-backup.ts'
import { keyTable } from './take-backup.ts'

export interface CheckedBackup {
  readonly takenAt: string
  readonly rows: number
  readonly events: number
  readonly seals: number
  /** Keys of persons and enquiries, all of which were unwrapped. */
  readonly keys: number
  readonly erased: number
}

/** The file is whole, and its content is not what the product wrote. */
export class UnprovenBackup extends StartupError {}

const anyLine = z.object({ table: z.string(), row: z.unknown() })
const isKey = isRowOf(keyTable)

/** As many problems as the sentence lists. */
const maxListed = 5

/**
 * Checks a backup without a database: the file is complete and unchanged, these keys are those of
 * the backup, every chain and every MAC of its log holds, its log has the state of each of its
 * seals, and every encrypted event has the personal key that decrypts it, or its person's erasure.
 * @throws UnprovenBackup that names the first problems
 * @throws OtherKeys
 * @throws StartupError for a file that is damaged, or that this release cannot read
 */
export async function checkBackup(
  file: string,
  keys: ProductKeys,
  onLines: (count: number) => void = () => undefined,
): Promise<CheckedBackup> {
  const { header } = await checkFile(file)
  refuseOtherKeys(header, keys)
  const personalKeys = createBackupKeyCheck(masterKeysOf(keys.masterKey, keys.previousMasterKey))
  try {
    const rows = await readRows(file, personalKeys, onLines)
    const seals = await sealsIn(file)
    const { events } = await verifyLog(
      exportedLog(file),
      {
        seals: [{ name: 'the backup', seals }],
        sealedHeads: sealedHeadsIn(file),
        auditKey: keys.auditKey,
        checks: [personalKeys.check],
        stopAfter: maxListed,
      },
      async (verified) => {
        refuseProblems(file, verified)
        return verified
      },
    )
    return { takenAt: header.takenAt, rows, events, seals: seals.length, ...personalKeys.counts() }
  } finally {
    await personalKeys.remove()
  }
}

/** Returns the number of rows. @throws StartupError for a line that this release cannot read */
async function readRows(
  file: string,
  personalKeys: BackupKeyCheck,
  onLines: (count: number) => void,
): Promise<number> {
  let rows = 0
  let isHeader = true
  for await (const page of readChecksummed(file)) {
    for (const line of isHeader ? page.slice(1) : page) {
      if (line.startsWith('{"event":')) continue
      if (line.startsWith('{"sequence":')) {
        parseLine(file, sequenceLine, line)
        continue
      }
      parseLine(file, anyLine, line)
      rows += 1
      if (isKey(line)) await personalKeys.add(parseLine(file, keyLine, line).row)
    }
    isHeader = false
    onLines(page.length)
  }
  return rows
}

function refuseProblems(
  file: string,
  { problems, sealProblems, isOfAnotherKey, checked }: OpenVerifiedLog,
): void {
  const found = [
    ...(isOfAnotherKey ? ['No event of the backup has a MAC of this AUDIT_KEY.'] : []),
    ...problems.map(({ stream, text }) => `${stream}: ${text}`),
    ...sealProblems.map(({ sequence, text }) => `Seal ${sequence}: ${text}`),
    ...checked.flatMap((each) => each.problems),
  ]
  if (found.length === 0) return
  throw new UnprovenBackup(
    [
      `${file} has the checksum of its content, and its content is not what the product wrote:`,
      ...found.slice(0, maxListed),
      "The file was changed, or the database was changed before the backup was taken. Run 'billing events verify' on that database.",
    ].join('\n'),
  )
}
