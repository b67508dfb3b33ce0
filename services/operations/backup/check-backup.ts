import { z } from 'zod'
import { hasGenuineMac } from '#services/event-store/audit/hash-chain'
import { macKeyOf } from '#services/event-store/audit/audit-keys'
import { masterKeysOf, unwrapKey } from '#services/event-store/encryption/master-keys'
import { eventInFile } from '#services/event-store/stored-json'
import { parseLine, readChecksummed } from '#services/foundation/checksummed-lines'
import { StartupError } from '#services/foundation/startup-error'
import type { ProductKeys } from '#services/start/key-fingerprints'
import { eventLine, sequenceLine } from './backup-format.ts'
import { logTable } from './backup-tables.ts'
import { checkFile, refuseOtherKeys } from './restore-backup.ts'
import { keyTable } from './take-backup.ts'

export interface CheckedBackup {
  readonly takenAt: string
  readonly rows: number
  readonly events: number
  /** Keys of persons and enquiries, all of which were unwrapped. */
  readonly keys: number
  readonly erased: number
}

const keyLine = z.object({
  row: z.object({
    subject: z.string(),
    /** `\x` and hexadecimal digits. */
    wrapped_key: z.string().nullable(),
    wrapped_by: z.string().nullable(),
  }),
})
const eventRow = z.object({ row: eventInFile })
const anyLine = z.object({ table: z.string() })

/**
 * Checks a backup without a database: the file is complete and unchanged, these keys are those of
 * the backup, every personal key can be unwrapped, and every event has the MAC of AUDIT_KEY. A
 * restore proves the rest: chains and seals need the whole log.
 * @throws StartupError that names the first problem
 */
export async function checkBackup(
  file: string,
  keys: ProductKeys,
  onLines: (count: number) => void = () => undefined,
): Promise<CheckedBackup> {
  const { header } = await checkFile(file)
  refuseOtherKeys(header, keys)
  const masterKeys = masterKeysOf(keys.masterKey, keys.previousMasterKey)
  const macKey = macKeyOf(keys.auditKey)
  const count = { rows: 0, events: 0, keys: 0, erased: 0 }
  let isHeader = true
  for await (const page of readChecksummed(file)) {
    for (const line of isHeader ? page.slice(1) : page) checkLine(line)
    isHeader = false
    onLines(page.length)
  }
  return { takenAt: header.takenAt, ...count }

  function checkLine(line: string): void {
    if (line.startsWith('{"event":')) return checkEvent(parseLine(file, eventLine, line).event)
    if (line.startsWith('{"sequence":')) return void parseLine(file, sequenceLine, line)
    count.rows += 1
    const { table } = parseLine(file, anyLine, line)
    if (table === logTable) checkEvent(parseLine(file, eventRow, line).row)
    if (table === keyTable) checkKey(parseLine(file, keyLine, line).row)
  }

  function checkKey({
    subject,
    wrapped_key: wrapped,
    wrapped_by: by,
  }: z.infer<typeof keyLine>['row']) {
    if (wrapped === null) {
      count.erased += 1
      return
    }
    unwrapKey(masterKeys, subject, Buffer.from(wrapped.slice(2), 'hex'), by ?? '')
    count.keys += 1
  }

  function checkEvent(event: z.infer<typeof eventInFile>): void {
    if (!hasGenuineMac(event, macKey))
      throw new StartupError(
        `${file} is complete, but event ${event.id} (${event.type}) at revision ${event.revision} of ${event.stream} has no MAC of this AUDIT_KEY. It was changed, or written under another AUDIT_KEY. Run 'billing events verify' on the database that the backup is of.`,
      )
    count.events += 1
  }
}
