const everyMs = 60_000

/**
 * Limits a log line that many requests cause: `write` runs at most once per minute, with the number
 * of times since the line before.
 * @param now monotonic milliseconds
 */
export function createMinuteLine(
  now: () => number = () => performance.now(),
): (write: (times: number) => void) => void {
  let writtenAt = -Infinity
  let times = 0
  return (write) => {
    times += 1
    if (now() - writtenAt < everyMs) return
    write(times)
    writtenAt = now()
    times = 0
  }
}
