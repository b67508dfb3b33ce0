import type { ProvenLog } from '#services/event-store/audit/proven-log'
import type { StoredEvent } from '#services/event-store/event-store'
import type { EventCodec } from '#services/event-store/encryption/codec'
import {
  comparedTypes,
  foldLogRecords,
  noLogRecords,
} from '#services/finance/reconciliation/log-records'
import { customerOf, isFinanceEvent } from '#services/finance/finance-event'
import type { LogSide } from '#services/finance/reconciliation/compared-record'
import { isOfFinance, isOfUnknownForm } from '../finance-events.ts'

export interface LogSource {
  readonly store: Pick<ProvenLog, 'readAll'>
  /** A codec without personal keys: personal fields then read as '[erased]', at no cost. */
  readonly codec: Pick<EventCodec, 'decode'>
  /** Receives the number of events of each page. */
  readonly onEvents?: (count: number) => void
}

export type FollowedLog = ReturnType<typeof followLog>

/**
 * The log's side of a reconciliation. Its memory grows with customers, payments and subscriptions,
 * not with events.
 */
export function followLog({ store, codec, onEvents = () => undefined }: LogSource) {
  const side = noLogRecords()
  let position: string | null = null
  return {
    side: side as LogSide,
    /** Null before the first event. */
    position: () => position,

    /** Folds the events since the last call. Returns the customers whose events they are. */
    async advance(): Promise<ReadonlySet<string>> {
      const users = new Set<string>()
      for await (const page of store.readAll(position)) {
        const read = page.filter((event) => isOfFinance(event) && isRead(event))
        for (const event of (await codec.decode(read)).filter(isFinanceEvent)) {
          foldLogRecords(side, event)
          users.add(customerOf(event))
        }
        position = page.at(-1)?.position ?? position
        onEvents(page.length)
      }
      return users
    },
  }
}

const folded: ReadonlySet<string> = comparedTypes

function isRead(event: StoredEvent): boolean {
  return folded.has(event.type) || isOfUnknownForm(event)
}
