import { z } from 'zod'
import { eventInFile } from '#services/event-store/stored-json'
import { keyNames } from '#services/keys/key-fingerprints'

/** The file in a backup's directory. */
export const backupFileName = 'billing-backup.ndjson.gz'

/** The first line of a backup. A release that changes the format raises the version. */
export const backupHeader = z.object({
  format: z.literal('billing-backup'),
  /** 2: the log was in EventStoreDB, and its events are separate lines. */
  version: z.literal([1, 2]),
  takenAt: z.iso.datetime(),
  /** Migrations of the source database. The target must have the same. */
  migrations: z.array(z.string()),
  /** Fingerprints that show a wrong key before the restore. They do not reveal the keys. */
  fingerprints: z.record(z.enum(keyNames), z.string()),
  /**
   * The fingerprints of the MASTER_KEYs that wrapped the personal keys: two if a rotation was not
   * complete, none if there was no key.
   */
  wrappedBy: z.array(z.string()),
})
export type BackupHeader = z.infer<typeof backupHeader>

/*
 * Each other line is an event of an EventStoreDB log, the last value of a sequence, or a row:
 * {"table": …, "row": …}. The JSON of a row has no schema. It stays text, because parsing could
 * change its values.
 */
export const eventLine = z.object({ event: eventInFile })
export const sequenceLine = z.object({ sequence: z.string(), lastValue: z.string() })

/** Whether a line is a row of this table. */
export function isRowOf(table: string): (line: string) => boolean {
  const start = `{"table":${JSON.stringify(table)},`
  return (line) => line.startsWith(start)
}
