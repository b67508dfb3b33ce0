import { formatCount } from '#services/foundation/format-count'
export interface Progress {
  /** So many more are done. */
  advance(count: number): void
  /** How many there will be, where that is only known after the start. */
  expect(total: number): void
  /** The last line, with the rate over all. Also after a failure, so that what follows starts on a line of its own. */
  end(): void
}

export interface ProgressOptions {
  /** What is being done: `Verifying`. */
  readonly doing: string
  /** What is counted: `events`. */
  readonly unit: string
  /** How many there will be; null when nobody knows, and then no time left is told. */
  readonly total: number | null
  readonly out?: NodeJS.WritableStream & { readonly isTTY?: boolean }
  /** Milliseconds, from any start. */
  readonly now?: () => number
}

/** On a terminal one line is rewritten; in a file a line now and then is enough. */
const pauseOnTerminal = 200
const pauseInFile = 5_000

/**
 * Done, rate and time left of long work, on standard error: standard output is the answer's.
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
  const pause = out.isTTY === true ? pauseOnTerminal : pauseInFile
  const startedAt = now()
  let done = 0
  let shownAt = startedAt
  let { total } = options

  function show(isLast: boolean) {
    const seconds = (now() - startedAt) / 1_000
    const line = `${doing}: ${progressText({ unit, done, total, seconds, isLast })}`
    // Clear to the end of the line: the one before may have been longer.
    out.write(out.isTTY === true ? `\r${line}\u001b[K${isLast ? '\n' : ''}` : `${line}\n`)
  }

  return {
    advance(count) {
      done += count
      if (now() - shownAt < pause) return
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
