/** Rows by their number in the file. */
export interface RowTable<Row> {
  readonly size: number
  /** By the row's number divided by `rowsOfChunk`. */
  readonly chunks: ReadonlyMap<number, ReadonlyMap<number, Row>>
}

/**
 * A table with more rows shares all chunks but those that change. An import of 20,000 rows changes
 * 80 times, and copies of the whole table would be most of what it leaves to the garbage collector.
 */
const rowsOfChunk = 256

export const emptyTable: RowTable<never> = { size: 0, chunks: new Map() }

export function rowAt<Row>({ chunks }: RowTable<Row>, row: number): Row | undefined {
  return chunks.get(chunkOf(row))?.get(row)
}

export function* rowsOf<Row>({ chunks }: RowTable<Row>): Generator<readonly [number, Row]> {
  for (const chunk of chunks.values()) yield* chunk
}

/** Of two rows with one number the last one counts. */
export function withRows<Row>(
  { size, chunks }: RowTable<Row>,
  rows: Iterable<readonly [number, Row]>,
): RowTable<Row> {
  const changed = new Map<number, Map<number, Row>>()
  let grown = size
  for (const [number, row] of rows) {
    const index = chunkOf(number)
    const chunk = changed.get(index) ?? new Map(chunks.get(index))
    if (!chunk.has(number)) grown += 1
    changed.set(index, chunk.set(number, row))
  }
  return { size: grown, chunks: new Map([...chunks, ...changed]) }
}

function chunkOf(row: number): number {
  return Math.floor(row / rowsOfChunk)
}
