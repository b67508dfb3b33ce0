import { createHmac } from 'node:crypto'
import { z } from 'zod'
import { eventInFile } from '#services/event-store/stored-json'
import type { Config } from '#services/start/config'

/** The file in a backup's directory. */
export const backupFileName = 'billing-backup.ndjson.gz'

/** The keys that a backup needs. */
export const keyNames = ['MASTER_KEY', 'EMAIL_HMAC_KEY', 'AUDIT_KEY'] as const
export type KeyName = (typeof keyNames)[number]

/** The first line of a backup. A release that changes the format raises the version. */
export const backupHeader = z.object({
  format: z.literal('billing-backup'),
  /** 2: the log was in EventStoreDB, and its events are separate lines. */
  version: z.literal([1, 2]),
  takenAt: z.string(),
  /** Migrations of the source database. The target must have the same. */
  migrations: z.array(z.string()),
  /** Fingerprints that show a wrong key before the restore. They do not reveal the keys. */
  fingerprints: z.record(z.enum(keyNames), z.string()),
})
export type BackupHeader = z.infer<typeof backupHeader>

/*
 * Each other line is an event of an EventStoreDB log, the last value of a sequence, or a row:
 * {"table": …, "row": …}. The JSON of a row has no schema. It stays text, because parsing could
 * change its values.
 */
export const eventLine = z.object({ event: eventInFile })
export const sequenceLine = z.object({ sequence: z.string(), lastValue: z.string() })

export type BackupKeys = Pick<Config, 'masterKey' | 'emailHmacKey' | 'auditKey'>

export function fingerprintsOf({
  masterKey,
  emailHmacKey,
  auditKey,
}: BackupKeys): BackupHeader['fingerprints'] {
  return {
    MASTER_KEY: fingerprint(masterKey),
    EMAIL_HMAC_KEY: fingerprint(emailHmacKey),
    AUDIT_KEY: fingerprint(auditKey),
  }
}

function fingerprint(key: Buffer): string {
  return createHmac('sha256', key).update('fingerprint in a backup').digest('hex').slice(0, 16)
}
