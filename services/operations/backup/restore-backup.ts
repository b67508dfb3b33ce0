import type pg from 'pg'
import { z } from 'zod'
import type { EventLog, RestoreEvents } from '#services/event-store/event-log'
import { eventInFile } from '#services/event-store/stored-json'
import { markUnfinished, removeMark } from '#services/event-store/transfer/unfinished-restore'
import { parseLine, readChecksummed } from '#services/foundation/checksummed-lines'
import { oneRow } from '#services/foundation/rows'
import { StartupError } from '#services/foundation/startup-error'
import { sendingReactors } from '#services/notifications/reactor-names'
import { refusedData } from '#services/postgres/refused-data'
import { durableTransaction, onConnectionOf } from '#services/postgres/transaction'
import { holdBack } from '#services/reactors/outbox-entries'
import { holdAppointments } from '#services/receivables/sending/client-appointments'
import { thanksReactorName } from '#services/receivables/sending/thanks-reactor'
import { refuseOtherWrapping } from '#services/keys/assert-known-keys'
import {
  fingerprintsOf,
  portalFingerprints,
  keyNames,
  masterFingerprints,
  type ProductKeys,
  type KeyName,
} from '#services/keys/key-fingerprints'
import { backupHeader, eventLine, sequenceLine, type BackupHeader } from './backup-format.ts'
import { backupTables, logTable, migrationsOf } from './backup-tables.ts'
import { insertRows, type RowInFile } from './insert-rows.ts'

export interface RestoreOptions {
  /** A database with this release's migrations, in which the product has never run. */
  readonly pool: pg.Pool
  readonly eventLog: Pick<EventLog, 'isInDatabase' | 'openForRestore'>
  readonly keys: ProductKeys
  /**
   * Called with the number of rows after the file was checked; `onRows` with the number of further
   * restored rows.
   */
  readonly onChecked?: (rows: number) => void
  readonly onRows?: (count: number) => void
}

export interface RestoredBackup {
  readonly takenAt: string
  readonly rows: number
  /** Mails and texts that waited when the backup was taken. They are dead letters. */
  readonly heldBack: number
  /** Clients of merchants whose messages wait for an operator. */
  readonly heldClients: number
  /** Thanks of merchants for payments. They are dead letters, too. */
  readonly heldThanks: number
}

/**
 * The configured keys differ from those of the backup. The caller adds where the right keys can be
 * found. `different` has the fingerprints that the backup needs, by name.
 */
export class OtherKeys extends StartupError {
  readonly keys: readonly KeyName[]
  constructor(different: ReadonlyMap<KeyName, string>, keys: ProductKeys) {
    const given = fingerprintsOf(keys)
    const names = [...different.keys()]
    const prints = [...different].map(
      ([name, needed]) => `the ${name} of fingerprint ${needed} (set: ${given[name]})`,
    )
    super(`The backup was taken with another ${names.join(', ')}, and needs ${prints.join(', ')}.`)
    this.keys = names
  }
}

/**
 * Restores a backup into a fresh database, in one transaction. If the log was and is in the
 * database, positions stay and continue; otherwise the log assigns new positions. EventStoreDB
 * keeps the events of an interrupted restore, and a repeat adds the others. The checksum of the
 * whole file is verified before the first write.
 * @throws StartupError for a damaged file, a file of another release, other keys, or a database in
 * use
 */
export async function restoreBackup(
  file: string,
  { pool, eventLog, keys, onChecked = () => undefined, onRows = () => undefined }: RestoreOptions,
): Promise<RestoredBackup> {
  const { header, lines } = await checkFile(file)
  refuseOtherKeys(header, keys)
  onChecked(lines - 1)
  return onConnectionOf(pool, durableTransaction, async (tx) => {
    await refuseOtherRelease(tx, header)
    const restoreEvents = await eventLog.openForRestore(tx, () => markUnfinished(pool, 'restore'))
    await refuseUsed(tx)
    const insertOf = await inserts(tx)
    let [rows, before] = [0, 0]
    for await (const lines of readChecksummed(file)) {
      rows += await restoreLog(file, lines, eventLog, restoreEvents, onRows)
      for (const [table, ofTable] of byTable(lines, before)) {
        if (table === logTable && !eventLog.isInDatabase) continue
        const insert = insertOf.get(table)
        if (insert === undefined)
          throw new StartupError(
            `The backup has a table ${table}, which this release does not have. Restore it with the release that took it.`,
          )
        await insertRows(tx, { file, table, insert }, ofTable)
        rows += ofTable.length
        onRows(ofTable.length)
      }
      for (const value of sequencesIn(file, lines)) await setSequence(tx, file, value)
      before += lines.length
    }
    // A rotation that began during the backup can have wrapped keys that the header does not know.
    await refuseOtherWrapping(tx, keys)
    await keepFingerprints(tx, header)
    await removeMark(tx)
    // The installation that took the backup may have sent them since.
    const why = `The backup of ${header.takenAt} has no outcome; it may have been sent since.`
    const heldBack = await holdBack(tx, sendingReactors, why)
    const heldClients = await holdAppointments(tx, why)
    const heldThanks = await holdBack(tx, [thanksReactorName], why)
    return { takenAt: header.takenAt, rows, heldBack, heldClients, heldThanks }
  })
}

/**
 * The restored data depends on these keys. Without their fingerprints, a first start with another
 * EMAIL_HMAC_KEY would be accepted and would find no account, and another PORTAL_KEY would end the
 * links of sent messages. MASTER_KEY is named by each personal key.
 */
async function keepFingerprints(tx: pg.PoolClient, { fingerprints }: BackupHeader): Promise<void> {
  const names = ['EMAIL_HMAC_KEY', 'PORTAL_KEY', 'AUDIT_KEY'] as const
  await tx.query(
    `INSERT INTO app.key_fingerprint (name, fingerprint) SELECT * FROM unnest($1::text[], $2::text[])
     ON CONFLICT (name) DO UPDATE SET fingerprint = excluded.fingerprint`,
    [names, names.map((name) => fingerprints[name])],
  )
}

/** How the line of an event in the database begins. */
const logRow = `{"table":"${logTable}",`
const columnsRow = z.object({ columns: z.string() })

/**
 * Restores the events that get new positions and returns their number. Rows that stay in log.event
 * are restored with the tables.
 */
async function restoreLog(
  file: string,
  lines: readonly string[],
  eventLog: Pick<EventLog, 'isInDatabase'>,
  restore: RestoreEvents,
  onRows: (count: number) => void,
): Promise<number> {
  const rows = eventLog.isInDatabase
    ? []
    : (byTable(lines).get(logTable) ?? []).map(({ text }) => parseLine(file, eventInFile, text))
  const events = lines
    .filter((line) => line.startsWith('{"event":'))
    .map((line) => parseLine(file, eventLine, line).event)
  const all = [...rows, ...events]
  if (all.length > 0) {
    await restore(all)
    onRows(all.length)
  }
  return all.length
}

/**
 * Reads the whole file.
 * @throws StartupError if it is incomplete, damaged or no backup of this release
 */
export async function checkFile(
  file: string,
): Promise<{ readonly header: BackupHeader; readonly lines: number }> {
  let header: BackupHeader | null = null
  let lines = 0
  for await (const page of readChecksummed(file)) {
    header ??= headerOf(file, page[0] ?? '')
    if (header.version === 2 && page.some((line) => line.startsWith(logRow)))
      throw new StartupError(
        `${file} has two logs: the one in EventStoreDB, and an earlier one in the database. Take the backup again with this release.`,
      )
    lines += page.length
  }
  if (header === null) throw notABackup(file)
  return { header, lines }
}

function headerOf(file: string, line: string): BackupHeader {
  try {
    return backupHeader.parse(JSON.parse(line))
  } catch {
    throw notABackup(file)
  }
}

function notABackup(file: string): StartupError {
  return new StartupError(
    `${file} is not a backup that this release can read. Name the directory that 'backup' wrote.`,
  )
}

/** @throws OtherKeys */
export function refuseOtherKeys(
  { fingerprints, wrappedBy }: BackupHeader,
  keys: ProductKeys,
): void {
  const configured = fingerprintsOf(keys)
  const masterKeys = masterFingerprints(keys)
  const different = new Map<KeyName, string>()
  for (const name of keyNames) {
    const needed = name === 'MASTER_KEY' && wrappedBy.length > 0 ? wrappedBy : [fingerprints[name]]
    const known =
      name === 'MASTER_KEY'
        ? masterKeys
        : name === 'PORTAL_KEY'
          ? portalFingerprints(keys)
          : [configured[name]]
    const other = needed.find((fingerprint) => !known.includes(fingerprint))
    if (other !== undefined) different.set(name, other)
  }
  if (different.size > 0) throw new OtherKeys(different, keys)
}

async function refuseOtherRelease(tx: pg.PoolClient, { migrations }: BackupHeader): Promise<void> {
  const present = await migrationsOf(tx)
  if (present.join() === migrations.join()) return
  const which = migrations.length < present.length ? 'an older' : 'another'
  throw new StartupError(
    `The backup was taken by ${which} release, whose tables differ. Restore it with that release, and then start this release, which migrates the tables.`,
  )
}

async function refuseUsed(tx: pg.PoolClient): Promise<void> {
  for (const table of await backupTables(tx)) {
    const { rowCount } = await tx.query(`SELECT 1 FROM ${table} LIMIT 1`)
    if (rowCount)
      throw new StartupError(
        `The database is in use already (${table} has rows). Restore into a fresh database, or set another DATA_DIR.`,
      )
  }
}

/**
 * The INSERT statement of each table for rows of JSON. It lists the columns, since a generated
 * column takes no value.
 */
async function inserts(tx: pg.PoolClient): Promise<ReadonlyMap<string, string>> {
  const statements = new Map<string, string>()
  for (const table of await backupTables(tx)) {
    const { columns } = await oneRow(
      tx,
      columnsRow,
      `SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) AS columns FROM pg_attribute
       WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = ''`,
      [table],
    )
    statements.set(
      table,
      `INSERT INTO ${table} (${columns}) OVERRIDING SYSTEM VALUE SELECT ${columns} FROM json_populate_recordset(NULL::${table}, $1::json)`,
    )
  }
  return statements
}

/**
 * The JSON texts of the rows by table. The rows are not parsed here, which could change their
 * values.
 */
function byTable(
  lines: readonly string[],
  linesBefore = 0,
): ReadonlyMap<string, readonly RowInFile[]> {
  const tables = new Map<string, RowInFile[]>()
  for (const [index, line] of lines.entries()) {
    const [, table, text] = /^\{"table":"([^"]+)","row":(.*)\}$/s.exec(line) ?? []
    if (table === undefined || text === undefined) continue
    const row = { line: linesBefore + index + 1, text }
    const rows = tables.get(table)
    if (rows === undefined) tables.set(table, [row])
    else rows.push(row)
  }
  return tables
}

async function setSequence(
  tx: pg.PoolClient,
  file: string,
  { sequence, lastValue }: z.infer<typeof sequenceLine>,
): Promise<void> {
  try {
    await tx.query('SELECT setval($1::regclass, $2::bigint)', [sequence, lastValue])
  } catch (error) {
    if (refusedData(error) === null) throw error
    throw new StartupError(
      `${file} has a value of the sequence '${sequence}' that this release cannot set: the file was changed, or another release wrote it. Use another backup. Nothing was restored.`,
      { cause: error },
    )
  }
}

function sequencesIn(
  file: string,
  lines: readonly string[],
): readonly z.infer<typeof sequenceLine>[] {
  return lines
    .filter((line) => line.startsWith('{"sequence":'))
    .map((line) => parseLine(file, sequenceLine, line))
}
