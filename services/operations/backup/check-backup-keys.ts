import { createSecretKey } from 'node:crypto'
import { z } from 'zod'
import type { LogCheck } from '#services/event-store/audit/verify-log'
import { decrypts, hasEncrypted } from '#services/event-store/encryption/check-personal-keys'
import { leftOutKey } from '#services/event-store/encryption/key-table'
import { unwrapKey, type MasterKeys } from '#services/event-store/encryption/master-keys'
import { isErasure } from '#services/event-store/encryption/subject-log'
import { OtherMasterKey } from '#services/event-store/errors'
import type { StreamEvent } from '#services/event-store/event-store'
import { createSortedSpool } from '#services/foundation/spool/sorted-spool'
import { StartupError } from '#services/foundation/startup-error'
import { administratorsStream, firstStreamOf, subjectOf } from '#services/foundation/stream-names'

/** A row of app.personal_key in a backup. */
export const keyLine = z.object({
  row: z.object({
    subject: z.string(),
    /** `\x` and hexadecimal digits. Null: the key was destroyed. */
    wrapped_key: z.string().nullable(),
    wrapped_by: z.string().nullable(),
  }),
})
type KeyRow = z.infer<typeof keyLine>['row']

/** What a backup has of the subjects of one stream: see `placeOf`. */
type Found =
  | { readonly kind: 'key'; readonly row: KeyRow }
  | { readonly kind: 'erasure' }
  /** The first event that the key of the subject decrypts. */
  | {
      readonly kind: 'encrypted'
      readonly subject: string
      readonly event: Pick<StreamEvent, 'id' | 'stream' | 'revision' | 'data'>
    }

export interface BackupKeyCheck {
  readonly check: LogCheck
  add(row: KeyRow): Promise<void>
  /** Keys that were unwrapped, and keys that were destroyed. Call it after the check has ended. */
  counts(): { readonly keys: number; readonly erased: number }
  /** Removes the temporary files. */
  remove(): Promise<void>
}

/**
 * Compares the personal keys of a backup with the events of its log, in constant memory at any
 * number of persons: each encrypted event has the key that decrypts it, or the log has the erasure.
 */
export function createBackupKeyCheck(masterKeys: MasterKeys): BackupKeyCheck {
  const spool = createSortedSpool<Found>({
    combine: (earlier, later) =>
      earlier.kind === 'encrypted' &&
      later.kind === 'encrypted' &&
      earlier.subject === later.subject
        ? earlier
        : null,
  })
  const counts = { keys: 0, erased: 0 }

  /** The sentences about the subjects of one place. */
  function problemsOf(values: readonly Found[]): readonly string[] {
    const isErased = values.some(({ kind }) => kind === 'erasure')
    const rows = new Map(
      values.flatMap((found) => (found.kind === 'key' ? [[found.row.subject, found.row]] : [])),
    )
    const unwrapped = new Map([...rows].map(([subject, row]) => [subject, keyOf(row)] as const))
    const broken = [...unwrapped.values()].filter((key) => typeof key === 'string')
    const checked = new Set<string>()
    const lost = values.flatMap((found) => {
      if (found.kind !== 'encrypted' || checked.has(found.subject)) return []
      const { subject, event } = found
      checked.add(subject)
      const key = unwrapped.get(subject)
      if (typeof key === 'string') return []
      if (key === undefined && isErased) return []
      if (key !== undefined && (key.equals(leftOutKey) || decrypts(event, createSecretKey(key))))
        return []
      return [lostKey(found, reasonOf(rows.get(subject)))]
    })
    return [...broken, ...lost]
  }

  /** A sentence if the key cannot be unwrapped. Undefined if it was destroyed. */
  function keyOf({
    subject,
    wrapped_key: wrapped,
    wrapped_by: by,
  }: KeyRow): Buffer | string | undefined {
    if (wrapped === null) {
      counts.erased += 1
      return undefined
    }
    try {
      const key = unwrapKey(masterKeys, subject, Buffer.from(wrapped.slice(2), 'hex'), by ?? '')
      counts.keys += 1
      return key
    } catch (error) {
      if (error instanceof OtherMasterKey || !(error instanceof StartupError)) throw error
      return error.message
    }
  }

  return {
    async add(row) {
      spool.add(placeOf(row.subject), { kind: 'key', row })
      await spool.writeIfFull()
    },
    check: {
      subject: 'personal keys',
      async page(events) {
        for (const event of events) {
          const subject = subjectOf(event.stream, event.data)
          if (isErasure(event)) spool.add(placeOfErasure(event, subject), { kind: 'erasure' })
          if (subject === null || !hasEncrypted(event)) continue
          const { id, stream, revision, data } = event
          const found = { id, stream, revision, data }
          spool.add(placeOf(subject), { kind: 'encrypted', subject, event: found })
        }
        await spool.writeIfFull()
      },
      async end() {
        const problems: string[] = []
        for await (const { values } of spool.sorted()) problems.push(...problemsOf(values))
        return { problems, proven: null }
      },
    },
    counts: () => counts,
    remove: () => spool.remove(),
  }
}

/** The rows and the events of a subject meet here. All administrators have one stream. */
function placeOf(subject: string): string {
  const stream = firstStreamOf(subject)
  return stream === administratorsStream ? subject : stream
}

/** An erasure of an enquiry names no address. */
function placeOfErasure({ stream }: StreamEvent, subject: string | null): string {
  return stream === administratorsStream && subject !== null ? subject : stream
}

function reasonOf(row: KeyRow | undefined): string {
  if (row === undefined) return 'is missing'
  return row.wrapped_key === null ? 'was destroyed' : 'is not the key that encrypted the event'
}

function lostKey(
  { subject, event }: Extract<Found, { kind: 'encrypted' }>,
  reason: string,
): string {
  return `The personal key of '${subject}' ${reason}, and the log of the backup has no erasure of '${subject}'. Event ${event.id} (revision ${event.revision} of '${event.stream}') cannot be read.`
}
