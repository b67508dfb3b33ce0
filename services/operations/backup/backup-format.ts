import { createHmac } from 'node:crypto'
import { z } from 'zod'
import type { EventToRestore } from '#services/event-store/event-log'
import type { Config } from '#services/start/config'

/** The file in a backup's directory. */
export const backupFileName = 'billing-backup.ndjson.gz'

/** What a backup cannot be used without. */
export const keyNames = ['MASTER_KEY', 'EMAIL_HMAC_KEY', 'AUDIT_KEY'] as const
export type KeyName = (typeof keyNames)[number]

/** The first line of a backup. A later release that writes it differently raises the version. */
export const backupHeader = z.object({
  format: z.literal('billing-backup'),
  /** 2: the log was not in the database, and its events are lines of their own. */
  version: z.literal([1, 2]),
  takenAt: z.string(),
  /** Of the database that it was taken from: the tables must be the same to take it back. */
  migrations: z.array(z.string()),
  /** By which a wrong key is known before anything is restored. They say nothing about the keys. */
  fingerprints: z.record(z.enum(keyNames), z.string()),
})
export type BackupHeader = z.infer<typeof backupHeader>

/** Every other line: a row as PostgreSQL writes it as JSON, where a sequence was, or an event of a log elsewhere. */
export type BackupLine =
  | { readonly event: EventToRestore }
  | { readonly table: string; readonly row: unknown }
  | { readonly sequence: string; readonly lastValue: string }

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
