import { withChecksum, readChecksummed } from '#services/foundation/checksummed-lines'
import { StartupError } from '#services/foundation/startup-error'
import type { Repair } from '../audit/find-repairs.ts'
import { eventIn, isEventLine } from './exported-log.ts'

/**
 * The text of an export, or of a backup of an EventStoreDB log, with repaired events and a new
 * checksum.
 * @throws StartupError for the backup of a log in the database
 */
export function repairedFile(file: string, repairs: readonly Repair[]): AsyncGenerator<string> {
  const originals = new Map(
    repairs.map(({ damaged, original }) => [
      `${damaged.stream} ${damaged.revision}`,
      JSON.stringify({ event: withoutPosition(original) }),
    ]),
  )
  return withChecksum(lines())

  async function* lines(): AsyncGenerator<readonly string[]> {
    for await (const page of readChecksummed(file))
      yield page.map((line) => {
        const event = eventIn(file, line)
        if (event === null) return line
        const original = originals.get(`${event.stream} ${event.revision}`)
        if (original === undefined) return line
        if (!isEventLine(line))
          throw new StartupError(
            `${file} is the backup of a log in the database. Restore it, and repair the restored log: 'billing events repair <backup>' without --in.`,
          )
        return original
      })
  }
}

function withoutPosition({ id, type, stream, revision, data, metadata }: Repair['original']) {
  return { id, type, stream, revision, data, metadata }
}
