import cliProgress from 'cli-progress'
import { formatCount } from '#services/foundation/format-count'

export interface Progress {
  /** Adds `count` to the number done. */
  advance(count: number): void
  /** Sets the total, if the total is known only after the start. */
  expect(total: number): void
  /**
   * Writes the last line, with the rate of the whole work. Call this also after a failure: the
   * timer of the line keeps the process alive.
   */
  end(): void
}

export interface ProgressOptions {
  /** The work: `Verifying`. */
  readonly doing: string
  /** The unit of the counts: `events`. */
  readonly unit: string
  /** Null if the total is unknown; the line then has no time left. */
  readonly total: number | null
  /** The share of the work, from 0 to 1, that so many units are. Default: all units are equal. */
  readonly shareOf?: (done: number) => number
  readonly out?: NodeJS.WritableStream & { readonly isTTY?: boolean }
}

/** Per second, on a terminal. */
const redraws = 5
const pauseInFileMs = 5_000

/**
 * Shows done, rate and time left of long work on standard error. Standard output has only the
 * answer. A terminal shows one line. A file gets a line at the start, one line per 5 s, and the
 * last line.
 */
export function showProgress({
  doing,
  unit,
  total,
  shareOf,
  out = process.stderr,
}: ProgressOptions): Progress {
  const startedAt = performance.now()
  let isTotalKnown = total !== null
  let isLast = false
  const bar = new cliProgress.SingleBar({
    format: (_options, { value, total: latestTotal }) => {
      const seconds = (performance.now() - startedAt) / 1_000
      return `${doing}: ${progressText({ unit, done: value, total: isTotalKnown ? latestTotal : null, seconds, isLast, shareOf })}`
    },
    stream: out,
    fps: redraws,
    // Cuts the line at the width of the terminal. Otherwise the library changes the mode of the
    // terminal until `stop`.
    linewrap: true,
    noTTYOutput: true,
    notTTYSchedule: pauseInFileMs,
    // In a file every line is complete. `stop` would add an empty line.
    clearOnComplete: out.isTTY !== true,
  })
  bar.start(total ?? 0, 0)
  return {
    advance: (count) => bar.increment(count),
    expect(count) {
      isTotalKnown = true
      bar.setTotal(count)
    },
    end() {
      isLast = true
      bar.stop()
    },
  }
}

interface ProgressText {
  readonly unit: string
  readonly done: number
  readonly total: number | null
  readonly seconds: number
  readonly isLast: boolean
  readonly shareOf?: ProgressOptions['shareOf']
}

/** `412,000 of 1,000,000 events (41 %), 52,300 events/s, 11 s left` */
export function progressText({
  unit,
  done,
  total,
  seconds,
  isLast,
  shareOf,
}: ProgressText): string {
  const rate = seconds > 0 ? done / seconds : 0
  const count =
    total === null || isLast
      ? `${formatCount(done)} ${unit}`
      : `${formatCount(done)} of ${formatCount(total)} ${unit} (${percent(done, total)} %)`
  if (shareOf !== undefined && total !== null && !isLast)
    return unequalText({ unit, done, total, seconds, share: shareOf(done) })
  if (shareOf !== undefined) return `${count} in ${duration(seconds)}`
  const speed = `${formatCount(rate)} ${unit}/s`
  if (isLast) return `${count} in ${duration(seconds)}, ${speed}`
  return total === null || rate === 0
    ? `${count}, ${speed}`
    : `${count}, ${speed}, ${duration(Math.max(0, total - done) / rate)} left`
}

/** `212 of 427 days (38 % of the work), 5 min left`. A rate of unequal units would mislead. */
function unequalText({
  unit,
  done,
  total,
  seconds,
  share,
}: Pick<ProgressText, 'unit' | 'done' | 'seconds'> & { total: number; share: number }): string {
  const count = `${formatCount(done)} of ${formatCount(total)} ${unit} (${percent(share, 1)} % of the work)`
  return share === 0 ? count : `${count}, ${duration((seconds / share) * (1 - share))} left`
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
