import type { EventProof } from '#services/event-store/audit/event-proof'
import { proveLog } from '#services/event-store/audit/proven-log'
import { createKeylessCodec } from '#services/event-store/encryption/codec'
import type { EventStore } from '#services/event-store/event-store'
import type { CloseLog } from './closing/closes.ts'
import { isInStreamOfFinance } from './finance-events.ts'

/**
 * The log as reports and closes read it: every event about money is genuine, or the reading ends
 * with ForgedEvent. Personal fields read as '[erased]'.
 */
export function financeLog(
  store: Pick<EventStore, 'readAll' | 'readStream'>,
  proof: EventProof,
): CloseLog {
  return { store: proveLog(store, proof, isInStreamOfFinance), codec: createKeylessCodec() }
}
