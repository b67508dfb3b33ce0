import { z } from 'zod'

/** What the programs of a run printed, counted by message. Its size does not grow with the run. */
export interface ProgramOutput {
  /** A program printed these bytes. */
  add(chunk: Buffer): void
  /** Messages and how often each was printed, the most frequent first. */
  counts(): readonly (readonly [message: string, count: number])[]
  /** The last lines. */
  tail(): string
}

const keptLines = 100
const keptMessages = 500

const logLine = z.object({
  level: z.union([z.string(), z.number()]),
  msg: z.string(),
  status: z.number().optional(),
  err: z.object({ message: z.string().optional(), code: z.unknown().optional() }).optional(),
})

/** What no program may print: an error that nothing caught, or a stack outside a log line. */
const uncaught = /^\s+at .*:\d+:\d+\)?$|UnhandledPromiseRejection|Uncaught|heap out of memory/

/** `onUncaught` receives the first lines that show an error that no part of the program handled. */
export function createProgramOutput(onUncaught: (line: string) => void): ProgramOutput {
  const counts = new Map<string, number>()
  const last: string[] = []
  let isReported = false

  function addLine(line: string): void {
    last.push(line.slice(0, 2_000))
    if (last.length > keptLines) last.shift()
    if (uncaught.test(line) && !isReported) {
      isReported = true
      onUncaught(last.slice(-12).join('\n'))
    }
    const key = messageOf(line)
    if (counts.has(key) || counts.size < keptMessages) counts.set(key, (counts.get(key) ?? 0) + 1)
  }

  return {
    add: (chunk) =>
      chunk
        .toString('utf8')
        .split('\n')
        .filter((line) => line.trim() !== '')
        .forEach(addLine),
    counts: () => [...counts].sort(([, a], [, b]) => b - a),
    tail: () => last.join('\n'),
  }
}

/** The constant part of a log line. */
function messageOf(line: string): string {
  const parsed = logLine.safeParse(parse(line))
  if (!parsed.success) return withoutValues(line)
  const { level, msg, status, err } = parsed.data
  const code = typeof err?.code === 'string' ? ` ${err.code}` : ''
  return withoutValues(
    `[${level}]${status === undefined ? '' : ` ${status}`} ${msg}${err?.message === undefined ? '' : ` (${err.message}${code})`}`,
  )
}

const withoutValues = (text: string) =>
  text
    .replace(/\b[a-z]+_[A-Za-z0-9]{8,}|[0-9a-f]{8}-[0-9a-f-]{27}/g, '…')
    .replace(/\d{3,}/g, '…')
    .slice(0, 240)

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
