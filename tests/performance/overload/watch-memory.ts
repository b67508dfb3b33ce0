import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)
const everyMs = 500

/** Resident memory of a process in MB. */
async function residentMb(pid: number): Promise<number> {
  const { stdout } = await run('ps', ['-o', 'rss=', '-p', String(pid)])
  return Number(stdout.trim()) / 1_024
}

/** Samples the resident memory until `stop`, which returns the samples in MB, in order. */
export function watchMemory(pid: number): { stop(): readonly number[] } {
  const samples: number[] = []
  const timer = setInterval(() => {
    // A sample that fails is left out: the process ended, and the measurement reports that.
    residentMb(pid).then(
      (mb) => samples.push(mb),
      () => undefined,
    )
  }, everyMs)
  return {
    stop() {
      clearInterval(timer)
      return samples
    },
  }
}
