import { isIntact, verifyLog } from '#services/event-store/audit/verify-log'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import { auditKey } from '../support/event-store/mac-key.ts'
import { sendUsage, type Usage } from './send-usage.ts'

export interface VerifyUsage extends Usage {
  readonly events: number
  readonly streams: number
  readonly isGood: boolean
}

// Verifies the log as `billing events verify` does: chains and MACs, without a seal.
const [connectionString] = process.argv.slice(2)
if (!connectionString)
  throw new Error('Only the benchmark starts this process: run `npm run bench`.')

await sendUsage(async () => {
  const store = createPostgresEventStore({ connectionString })
  const noHeads = (async function* () {})()
  const verified = await verifyLog(
    store,
    { seals: [], sealedHeads: noHeads, auditKey },
    async (log) => ({ events: log.events, streams: log.streams, isGood: isIntact(log) }),
  )
  await store.close()
  return verified
})
