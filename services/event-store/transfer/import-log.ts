import type pg from 'pg'
import type { z } from 'zod'
import { parseLine, readChecksummed } from '#services/foundation/checksummed-lines'
import { StartupError } from '#services/foundation/startup-error'
import { refusedData } from '#services/postgres/refused-data'
import { durableTransaction, onConnectionOf } from '#services/postgres/transaction'
import { restoreEmailKeyHistory } from '../encryption/email-key-history.ts'
import { markLeftOut, restoreKeys, type WrappedKey } from '../encryption/key-table.ts'
import { masterKeysOf } from '../encryption/master-keys.ts'
import { createPersonalKeys } from '../encryption/personal-keys.ts'
import { subjectOf } from '#services/foundation/stream-names'
import { errorCode } from '#services/foundation/error-code'
import { keyFingerprint } from '#services/foundation/key-fingerprint'
import type { EventLog, EventToRestore } from '../event-log.ts'
import { eventLine, exportHeader, keyLine } from './export-log.ts'
import { exportedLog } from './exported-log.ts'
import { verifyLog } from '../audit/verify-log.ts'
import { markUnfinished, refuseUnfinished, removeMark } from './unfinished-restore.ts'

export interface ImportOptions {
  readonly pool: pg.Pool
  readonly eventLog: Pick<EventLog, 'openForRestore'>
  readonly masterKey: Buffer
  readonly emailHmacKey: Buffer
  /** Of the MACs of the events. Null: only the hash chains are checked. */
  readonly auditKey: Buffer | null
  /** MASTER_KEY_PREVIOUS: a rotation can have begun before the export. */
  readonly previousMasterKey?: Buffer | null
  /**
   * Called with the number of lines after the file was checked; `onLines` with the number of
   * further imported lines.
   */
  readonly onChecked?: (lines: number) => void
  readonly onLines?: (count: number) => void
}

export interface ImportedLog {
  readonly events: number
  /** Null if the export has no keys: all its personal fields then read as erased. */
  readonly keys: number | null
}

/** No event has a MAC of the AUDIT_KEY that is set. */
export class MadeWithAnotherAuditKey extends StartupError {}

/** The export needs another key than the one that is set. The caller adds where to find it. */
export class MadeWithAnotherKey extends StartupError {}

function refuseOtherEmailKey(needed: string, emailHmacKey: Buffer): void {
  const given = keyFingerprint(emailHmacKey)
  if (needed !== given)
    throw new MadeWithAnotherKey(
      `The accounts in this export are found by another EMAIL_HMAC_KEY, of fingerprint ${needed}. The EMAIL_HMAC_KEY that is set has fingerprint ${given}.`,
    )
}

/**
 * Imports an export into an empty log. Events keep ids, streams, revisions, times and order. A log
 * in the database is written in one transaction. EventStoreDB keeps the events of an interrupted
 * import, and a repeat of the import adds the others. The checksum of the whole file, the hash
 * chains and the MACs of all events are verified before the first write: the owner of a file can
 * compute a checksum, and not a MAC.
 * @throws StartupError for a damaged or forged file, a log that has events, the log of an
 * interrupted restore, or another MASTER_KEY or EMAIL_HMAC_KEY than that of the export
 */
export async function importLog(
  file: string,
  {
    pool,
    eventLog,
    masterKey,
    emailHmacKey,
    auditKey,
    previousMasterKey = null,
    onChecked = () => undefined,
    onLines = () => undefined,
  }: ImportOptions,
): Promise<ImportedLog> {
  const masterKeys = masterKeysOf(masterKey, previousMasterKey)
  const { withKeys, emailKey, lines: total } = await check(file)
  if (emailKey !== undefined) refuseOtherEmailKey(emailKey.inUse, emailHmacKey)
  await refuseForged(file, auditKey)
  onChecked(total)
  return onConnectionOf(pool, durableTransaction, async (tx) => {
    // An import would complete the log of a restore, but not its other data, such as the sessions.
    await refuseUnfinished(tx, 'events import')
    const restore = await eventLog.openForRestore(tx, () => markUnfinished(pool, 'events import'))
    if (emailKey !== undefined) await restoreEmailKeyHistory(tx, emailKey)
    let [events, keys] = [0, 0]
    // The keys come first: if they are refused, no event was written, on either store.
    for await (const lines of readChecksummed(file)) {
      const newKeys = lines
        .filter((line) => line.startsWith('{"key":'))
        .map((line) => parseLine(file, keyLine, line).key)
      if (newKeys.length > 0) await restoreWrappedKeys(tx, newKeys)
      keys += newKeys.length
    }
    for await (const lines of readChecksummed(file)) {
      const newEvents = lines
        .filter((line) => line.startsWith('{"event":'))
        .map((line) => parseLine(file, eventLine, line).event)
      if (newEvents.length > 0)
        await restore(newEvents).catch((error: unknown) => {
          throw errorCode(error) === '23505' ? hasEventTwice(file) : error
        })
      if (!withKeys) await markLeftOut(tx, masterKeys, personsOf(newEvents))
      events += newEvents.length
      onLines(lines.length)
    }
    await removeMark(tx)
    return { events, keys: withKeys ? keys : null }
  }).catch((error: unknown) => {
    const reason = refusedData(error)
    if (reason === null) throw error
    throw new StartupError(
      `The database refuses a line of ${file}: ${reason}. The file was changed after it was written, or another release wrote it. Use an intact export. Nothing was imported.`,
      { cause: error },
    )
  })

  async function restoreWrappedKeys(tx: pg.PoolClient, keys: readonly WrappedKey[]) {
    await restoreKeys(tx, keys).catch((error: unknown) => {
      if (errorCode(error) === '23505') {
        throw new StartupError(
          'The database already has personal keys of the same persons. Import into an empty database.',
        )
      }
      throw error
    })
    const samples = new Map(keys.map((key) => [key.wrappedBy, key.subject]))
    samples.delete(null)
    for (const wrappedBy of samples.keys())
      if (!masterKeys.all.some(({ fingerprint }) => fingerprint === wrappedBy))
        throw new MadeWithAnotherKey(
          `The keys in this export were wrapped by another MASTER_KEY, of fingerprint ${wrappedBy}. The MASTER_KEY that is set has fingerprint ${masterKeys.current.fingerprint}.`,
        )
    // One key of each MASTER_KEY is enough to find a changed file.
    const wanted = new Set(samples.values())
    const found = await createPersonalKeys(tx, masterKey, { previousMasterKey }).forReading(wanted)
    const changed = [...wanted].find((subject) => !found.has(subject))
    if (changed !== undefined)
      throw new StartupError(
        `The key of '${changed}' in this export cannot be unwrapped: the file was changed. Use an intact export. Nothing was imported.`,
      )
  }
}

/**
 * Whether an export has personal keys. Reads only the header.
 * @throws StartupError if the file cannot be read or is not an export
 */
export async function exportHasKeys(file: string): Promise<boolean> {
  for await (const page of readChecksummed(file)) return headerOf(file, page[0] ?? '').withKeys
  throw notAnExport(file)
}

async function check(
  file: string,
): Promise<z.infer<typeof exportHeader> & { readonly lines: number }> {
  let header: z.infer<typeof exportHeader> | null = null
  let lines = 0
  for await (const page of readChecksummed(file)) {
    header ??= headerOf(file, page[0] ?? '')
    lines += page.length
  }
  if (header === null) throw notAnExport(file)
  return { ...header, lines }
}

function headerOf(file: string, line: string): z.infer<typeof exportHeader> {
  try {
    return exportHeader.parse(JSON.parse(line))
  } catch {
    throw notAnExport(file)
  }
}

function notAnExport(file: string): StartupError {
  return new StartupError(
    `${file} is not an export that this release can read. Name a file that 'events export' wrote.`,
  )
}

/** How many streams with changes are looked for. Each costs a reading of the file. */
const namedStreams = 5

/** @throws StartupError that names the first event of a stream that is not as it was written */
async function refuseForged(file: string, auditKey: Buffer | null): Promise<void> {
  await verifyLog(
    exportedLog(file),
    {
      seals: [],
      sealedHeads: none(),
      // Without the key, no event has a MAC of it, and the chains alone are explained.
      auditKey: auditKey ?? Buffer.alloc(32),
      stopAfter: namedStreams,
    },
    async ({ problems, isOfAnotherKey }) => {
      if (isOfAnotherKey && auditKey !== null)
        throw new MadeWithAnotherAuditKey(
          `No event in ${file} has a MAC of the AUDIT_KEY that is set, of fingerprint ${keyFingerprint(auditKey)}: the log was written with another AUDIT_KEY, or every event is forged.`,
        )
      if (problems.length === 0) return
      throw new StartupError(
        `${file} was changed after it was written, and its checksum was computed again:\n${problems.map(({ stream, text }) => `${stream}: ${text}\n`).join('')}Use an intact export. If the log itself was damaged before the export, repair the file: 'billing events repair <backup> --in ${file} --out <new file>'. Nothing was imported.`,
      )
    },
  )
}

async function* none(): AsyncGenerator<never> {
  // A file has no seals.
}

function hasEventTwice(file: string): StartupError {
  return new StartupError(
    `${file} has an event id, or a revision of a stream, twice: it was changed after it was written. Use an intact export. Nothing was imported.`,
  )
}

function personsOf(events: readonly EventToRestore[]): readonly string[] {
  return [...new Set(events.flatMap(({ stream, data }) => subjectOf(stream, data) ?? []))]
}
