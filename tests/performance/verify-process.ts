import { isIntact, verifyLog } from '#services/event-store/audit/verify-log'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { auditKey } from '../support/event-store/mac-key.ts'

/** What the process sends before it ends. */
export interface VerifyUsage {
  readonly seconds: number
  /** Of Node. */
  readonly cpuSeconds: number
  readonly peakBytes: number
  readonly events: number
  readonly streams: number
  readonly isGood: boolean
}

// Verifies the log as `billing events verify` does: chains and MACs, without a seal.
const [connectionString] = process.argv.slice(2)
if (!connectionString)
  throw new Error('Only the benchmark starts this process: run `npm run bench`.')

const store = createPostgresEventStore({ connectionString })
const began = performance.now()
const cpuBefore = process.cpuUsage()
const noHeads = (async function* () {})()
const verified = await verifyLog(
  store,
  { seals: [], sealedHeads: noHeads, auditKey },
  async (log) => ({ events: log.events, streams: log.streams, isGood: isIntact(log) }),
)
const { user, system } = process.cpuUsage(cpuBefore)
const usage: VerifyUsage = {
  ...verified,
  seconds: (performance.now() - began) / 1_000,
  cpuSeconds: (user + system) / 1e6,
  peakBytes: process.resourceUsage().maxRSS * 1_024,
}
await store.close()
process.send?.(usage, () => process.disconnect())
