import { perSecond, type Row } from './report.ts'
import { runMeasured } from './run-measured.ts'
import type { VerifyUsage } from './verify-process.ts'

const target = 512

/** Verifies the generated log as `billing events verify` does, in a new process. */
export async function benchVerify(
  connectionString: string,
  count: number,
): Promise<readonly Row[]> {
  const { seconds, cpuSeconds, peakBytes, events, streams, isGood } =
    await runMeasured<VerifyUsage>('verify-process', [connectionString])
  if (!isGood || events !== count) throw new Error('The generated log has a broken chain or MAC.')
  const megabytes = Math.round(peakBytes / 2 ** 20)
  return [
    {
      what: 'events verify',
      measured: perSecond(events / seconds),
      against: `${seconds.toFixed(0)} s; ${((cpuSeconds / events) * 1e6).toFixed(1)} µs of a core in Node per event; ${streams.toLocaleString('en-US')} streams`,
    },
    {
      what: 'its peak memory',
      measured: `${megabytes} MB`,
      target: { text: `${target} MB`, isMet: megabytes < target },
    },
  ]
}
