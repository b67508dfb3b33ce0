import { formatCount } from '#services/foundation/format-count'
export interface Progress {
  /** Adds `count` to the number done. */
  advance(count: number): void
  /** Sets the total, if it is known only after the start. */
  expect(total: number): void
  /** Prints the last line, with the average rate. Call it after a failure too: the next output then starts on a new line. */
  end(): void
}

export interface ProgressOptions {
  /** The work: `Verifying`. */
  readonly doing: string
  /** The unit of the counts: `events`. */
  readonly unit: string
  /** Null if the total is unknown; the line then has no time left. */
  readonly total: number | null
  readonly out?: NodeJS.WritableStream & { readonly isTTY?: boolean }
  /** Milliseconds, from any start. */
  readonly now?: () => number
}

/** On a terminal, one line that is rewritten every 200 ms. */
const terminalEveryMs = 200
/** In a file, one line per 5 s. */
const fileEveryMs = 5_000

/**
 * Shows the count, the rate and the time left of long work on standard error. Standard output has only the answer.
 *
 * The library `cli-progress` does not fit: its timer keeps the process alive, and a file gets a line at once and an
 * empty line at the end.
 */
export function showProgress({
  doing,
  unit,
  out = process.stderr,
  now = () => performance.now(),
  ...options
}: ProgressOptions): Progress {
  const everyMs = out.isTTY === true ? terminalEveryMs : fileEveryMs
  const startedAt = now()
  let done = 0
  let shownAt = startedAt
  let { total } = options

  function show(isLast: boolean) {
    const seconds = (now() - startedAt) / 1_000
    const line = `${doing}: ${progressText({ unit, done, total, seconds, isLast })}`
    // Clears to the end of the line: the previous text may have been longer.
    out.write(out.isTTY === true ? `\r${line}\u001b[K${isLast ? '\n' : ''}` : `${line}\n`)
  }

  return {
    advance(count) {
      done += count
      if (now() - shownAt < everyMs) return
      shownAt = now()
      show(false)
    },
    expect(count) {
      total = count
    },
    end: () => show(true),
  }
}

interface ProgressText {
  readonly unit: string
  readonly done: number
  readonly total: number | null
  readonly seconds: number
  readonly isLast: boolean
}

/** `412,000 of 1,000,000 events (41 %), 52,300 events/s, 11 s left` */
export function progressText({ unit, done, total, seconds, isLast }: ProgressText): string {
  const rate = seconds > 0 ? done / seconds : 0
  const count =
    total === null || isLast
      ? `${formatCount(done)} ${unit}`
      : `${formatCount(done)} of ${formatCount(total)} ${unit} (${percent(done, total)} %)`
  const speed = `${formatCount(rate)} ${unit}/s`
  if (isLast) return `${count} in ${duration(seconds)}, ${speed}`
  return total === null || rate === 0
    ? `${count}, ${speed}`
    : `${count}, ${speed}, ${duration(Math.max(0, total - done) / rate)} left`
}

function percent(done: number, total: number): number {
  return total === 0 ? 100 : Math.min(100, Math.floor((100 * done) / total))
}

function duration(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`
  const rounded = Math.round(seconds)
  if (rounded < 120) return `${rounded} s`
  const minutes = Math.round(rounded / 60)
  return minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
