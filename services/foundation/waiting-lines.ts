/** Lines that are written together: at most `chunkLength`, or one longer line. */
interface Chunk {
  readonly text: string
  /** How many lines are lost if the text is lost. */
  readonly lines: number
}

export interface WaitingLines {
  /** Keeps the line, or counts it as lost if the lines that wait leave no room. */
  add(line: string): void
  /** Counts lines as lost: `next` reports their number after the lines that wait. */
  lose(lines: number): void
  /** Counts all lines that wait as lost. */
  loseAll(): void
  /** Removes the next text to write. Null if no line waits. */
  next(): Chunk | null
}

/** UTF-16 code units. Docker reads 16 kB of a log at a time. */
const chunkLength = 16_000

/**
 * The lines of a log that are not written yet, in their order.
 * @param maxLength of all lines together, in UTF-16 code units
 * @param format of each line
 */
export function createWaitingLines(
  maxLength: number,
  format: (line: string) => string = (line) => line,
): WaitingLines {
  let chunks: Chunk[] = []
  let length = 0
  let lost = 0

  function append(text: string, lines: number): void {
    const last = chunks.at(-1)
    if (last !== undefined && last.text.length + text.length <= chunkLength)
      chunks[chunks.length - 1] = { text: last.text + text, lines: last.lines + lines }
    else chunks.push({ text, lines })
    length += text.length
  }

  return {
    add(json) {
      const line = format(json)
      if (length + line.length > maxLength) lost += 1
      else append(line, 1)
    },
    lose(lines) {
      lost += lines
    },
    loseAll() {
      lost += chunks.reduce((sum, { lines }) => sum + lines, 0)
      chunks = []
      length = 0
    },
    next() {
      if (lost > 0) append(format(sentenceOf(lost)), lost)
      lost = 0
      const chunk = chunks.shift() ?? null
      length -= chunk?.text.length ?? 0
      return chunk
    },
  }
}

function sentenceOf(lost: number): string {
  const msg = 'Log lines were lost, because the log could not be written for some time.'
  return `${JSON.stringify({ level: 'error', time: new Date().toISOString(), lost, msg })}\n`
}
