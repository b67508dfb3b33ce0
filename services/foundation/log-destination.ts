import pino, { type DestinationStream } from 'pino'

/** After a failed write, the lines of this time are not written. Milliseconds. */
const pauseMs = 1_000

/**
 * Writes log lines to a file descriptor, standard output by default. If the disk is full or the
 * reader of a pipe is gone, the process continues without its log. When lines can be written again,
 * the log continues, and a line has the number of lost lines.
 */
export function logDestination(fd = 1): DestinationStream {
  let lost = 0
  /** Lines that are not written yet. */
  let waiting = 0
  let failedAt: number | null = null
  let destination = open()

  function open() {
    const opened = pino.destination({ dest: fd })
    opened.on('drain', () => (waiting = 0))
    opened.on('write', () => {
      failedAt = null
      if (lost > 0) opened.write(lineOf(lost))
      lost = 0
    })
    opened.on('error', () => {
      failedAt = performance.now()
      lost += waiting
      waiting = 0
      // pino calls it when the process exits, and it repeats a failed write for ever.
      opened.flushSync = () => undefined
    })
    return opened
  }

  return {
    write(line) {
      if (failedAt !== null) {
        if (performance.now() - failedAt < pauseMs) {
          lost += 1
          return
        }
        // The former one keeps the lines that it could not write.
        destination = open()
        failedAt = null
      }
      waiting += 1
      destination.write(line)
    },
  }
}

function lineOf(lost: number): string {
  const msg = 'Log lines were lost, because the log could not be written for some time.'
  return `${JSON.stringify({ level: 'error', time: new Date().toISOString(), lost, msg })}\n`
}
