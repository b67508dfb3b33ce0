import { z } from 'zod'
import { withChecksum } from '#services/foundation/checksummed-lines'
import { emailKeyHistory, type EmailKeyHistory } from '../encryption/email-key-history.ts'
import { wrappedKey, type WrappedKey } from '../encryption/key-table.ts'
import type { EventStore } from '../event-store.ts'
import { eventInFile } from '../stored-json.ts'

/** The first line of an export. A release that changes the format raises the version. */
export const exportHeader = z.object({
  format: z.literal('billing-events'),
  version: z.literal(1),
  exportedAt: z.iso.datetime(),
  withKeys: z.boolean(),
  /** Only of an export with keys. Exports of earlier releases do not have it. */
  emailKey: emailKeyHistory.optional(),
})

/** Each other line. */
export const eventLine = z.object({ event: eventInFile })
export const keyLine = z.object({ key: wrappedKey })

export interface ExportOptions {
  readonly exportedAt: string
  /**
   * Null leaves the personal keys out. The file's personal fields then cannot be decrypted, not
   * even with MASTER_KEY.
   */
  readonly keys: AsyncIterable<readonly WrappedKey[]> | null
  /** Null: the export is without keys, or the product was never started. */
  readonly emailKey?: EmailKeyHistory | null
  readonly onEvents?: (count: number) => void
  readonly onKeys?: (count: number) => void
}

/**
 * The whole log as lines of JSON: a header, the stored events in position order, the keys, and a
 * trailer with a checksum. Personal fields are ciphertext.
 */
export function exportLog(
  store: EventStore,
  {
    exportedAt,
    keys,
    emailKey = null,
    onEvents = () => undefined,
    onKeys = () => undefined,
  }: ExportOptions,
): AsyncGenerator<string> {
  return withChecksum(lines())

  async function* lines(): AsyncGenerator<readonly string[]> {
    yield [
      JSON.stringify({
        format: 'billing-events',
        version: 1,
        exportedAt,
        withKeys: keys !== null,
        ...(emailKey === null ? {} : { emailKey }),
      } satisfies z.infer<typeof exportHeader>),
    ]
    for await (const page of store.readAll(null)) {
      yield page.map(({ id, type, stream, revision, data, metadata }) =>
        JSON.stringify({
          event: { id, type, stream, revision, data, metadata },
        } satisfies z.infer<typeof eventLine>),
      )
      onEvents(page.length)
    }
    // A key is created before the first event that needs it. Keys that are read last therefore
    // cover all events.
    if (keys === null) return
    for await (const page of keys) {
      yield page.map((key) => JSON.stringify({ key } satisfies z.infer<typeof keyLine>))
      onKeys(page.length)
    }
  }
}
