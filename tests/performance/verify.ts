import { setInterval } from 'node:timers'
import { verifyLog, isIntact } from '#services/event-store/audit/verify-log'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { auditKey } from '../support/event-store/mac-key.ts'
import { perSecond, type Row } from './report.ts'

const target = 512

/** Verifies the generated log as `billing events verify` does: chains and MACs, without a seal. */
export async function benchVerify(
  connectionString: string,
  count: number,
): Promise<readonly Row[]> {
  const store = createPostgresEventStore({ connectionString })
  let peakBytes = 0
  const sampling = setInterval(() => {
    peakBytes = Math.max(peakBytes, process.memoryUsage().rss)
  }, 100)
  const cpuBefore = process.cpuUsage()
  const began = performance.now()
  try {
    const noHeads = (async function* () {})()
    const { streams, events, isGood } = await verifyLog(
      store,
      { seals: [], sealedHeads: noHeads, auditKey },
      (verified) => Promise.resolve({ ...verified, isGood: isIntact(verified) }),
    )
    if (!isGood || events !== count) throw new Error('The generated log has a broken chain or MAC.')
    const seconds = (performance.now() - began) / 1_000
    const { user, system } = process.cpuUsage(cpuBefore)
    const megabytes = Math.round(peakBytes / 2 ** 20)
    return [
      {
        what: 'events verify',
        measured: perSecond(events / seconds),
        against: `${seconds.toFixed(0)} s; ${((user + system) / events).toFixed(1)} µs of a core in Node per event; ${streams.toLocaleString('en-US')} streams`,
      },
      {
        what: 'its peak memory',
        measured: `${megabytes} MB`,
        target: { text: `${target} MB`, isMet: megabytes < target },
      },
    ]
  } finally {
    clearInterval(sampling)
    await store.close()
  }
}
