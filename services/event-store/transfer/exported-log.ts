import { z } from 'zod'
import { parseLine, readChecksummed } from '#services/foundation/checksummed-lines'
import type { EventStore, StoredEvent } from '../event-store.ts'
import { eventInFile } from '../stored-json.ts'
import { eventLine } from './export-log.ts'

/** The line of an event in an export, or in the backup of an EventStoreDB log. */
const eventStart = '{"event":'
/** The line of an event in the backup of a log in the database. */
const rowStart = '{"table":"log.event",'
const rowLine = z.object({ row: eventInFile })

/** Whether a line is `{"event": …}` and not the row of a table. */
export function isEventLine(line: string): boolean {
  return line.startsWith(eventStart)
}

/** The event of a line. Null for a line of another kind. @throws StartupError for a broken line */
export function eventIn(file: string, line: string): Omit<StoredEvent, 'position'> | null {
  if (isEventLine(line)) return parseLine(file, eventLine, line).event
  return line.startsWith(rowStart) ? parseLine(file, rowLine, line).row : null
}

/**
 * The events of an export or a backup, to be read like a log. The position of an event is its
 * number. A read of one stream reads the whole file.
 */
export function exportedLog(file: string): Pick<EventStore, 'readAll' | 'readStream'> {
  async function* readAll(): AsyncGenerator<readonly StoredEvent[]> {
    let events = 0
    for await (const lines of readChecksummed(file)) {
      const page = lines.flatMap((line) => {
        const event = eventIn(file, line)
        return event === null ? [] : [{ ...event, position: String((events += 1)) }]
      })
      if (page.length > 0) yield page
    }
  }

  return {
    readAll,
    async readStream(stream, fromRevision = 0, maxCount = Number.POSITIVE_INFINITY) {
      const found: StoredEvent[] = []
      for await (const page of readAll())
        found.push(
          ...page.filter((event) => event.stream === stream && event.revision >= fromRevision),
        )
      return found.sort((a, b) => a.revision - b.revision).slice(0, maxCount)
    },
  }
}
