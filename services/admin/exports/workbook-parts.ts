import { maxWorkbookRows, type ExportEvents } from '#contracts/admin/exports'
import { formatCount } from '#services/foundation/format-count'
import { eventFrame } from '#services/http/event-stream'
import { HttpError } from '#services/http/http-error'
import type { ExportedList } from './exported-list.ts'
import { createWorkbook, type Workbook } from '#services/tables/workbook'

/** The whole XLSX file as one part. @throws HttpError 400 if the list has too many rows */
export async function* workbookPart(
  list: ExportedList,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  const making = makeWorkbook(list, signal)
  for (;;) {
    const { done, value } = await making.next()
    if (done !== true) continue
    await list.record(value.rows)
    yield value.content
    return
  }
}

/**
 * The progress of the XLSX file and then the file, as server-sent events. An error after the first
 * progress is an event, because the status was sent.
 */
export async function* workbookEvents(
  list: ExportedList,
  file: string,
  signal: AbortSignal,
): AsyncGenerator<Buffer, void, undefined> {
  const making = makeWorkbook(list, signal)
  let isBegun = false
  try {
    for (;;) {
      const { done, value } = await making.next()
      if (done === true) {
        await list.record(value.rows)
        const base64 = Buffer.from(value.content).toString('base64')
        yield eventOf('file', { name: file, base64 })
        return
      }
      yield eventOf('progress', { rows: value, total: list.total })
      isBegun = true
    }
  } catch (error) {
    if (!isBegun || !(error instanceof HttpError)) throw error
    yield eventOf('error', error.body)
  } finally {
    await making.return({ content: new Uint8Array(), rows: 0 })
  }
}

export function tooManyRows(): HttpError {
  return new HttpError(
    400,
    `An XLSX file has ${formatCount(maxWorkbookRows)} rows at most. Export the list as CSV, or narrow it with a search or a filter.`,
  )
}

interface MadeWorkbook {
  readonly content: Uint8Array
  readonly rows: number
}

/** Yields the number of rows in the workbook, and returns the file. */
async function* makeWorkbook(
  list: ExportedList,
  signal: AbortSignal,
): AsyncGenerator<number, MadeWorkbook> {
  const columns = list.columns.map(({ header, width }) => ({ header, width }))
  const made = createWorkbook(signal)
  try {
    await made.addSheet({ name: list.label, columns })
    const rows = yield* fill(made, list, signal)
    return { content: await made.finish(), rows }
  } finally {
    await made.close()
  }
}

async function* fill(
  made: Workbook,
  list: ExportedList,
  signal: AbortSignal,
): AsyncGenerator<number, number> {
  let rows = 0
  for await (const batch of list.batches()) {
    signal.throwIfAborted()
    if (rows + batch.length > maxWorkbookRows) throw tooManyRows()
    await made.add(batch)
    rows += batch.length
    yield rows
  }
  return rows
}

function eventOf<Name extends keyof ExportEvents>(name: Name, data: ExportEvents[Name]): Buffer {
  return eventFrame(name, JSON.stringify(data))
}
