import type {
  HistoryEvent,
  HistoryMark,
  HistoryPage,
  RawEventResponse,
  UserHistoryResponse,
} from '#contracts/admin/history'
import { aUser } from './admin-data.ts'

/** An event of a user's billing stream. Without a recording time, recorded 0.4 s later. */
export function anEvent(overrides: Partial<HistoryEvent> = {}): HistoryEvent {
  const occurred = overrides.occurred_at ?? '2026-03-18T14:06:28.000Z'
  const revision = overrides.revision ?? 17
  const stream = overrides.stream ?? 'billing-usr_1'
  return {
    id: `${stream}-${revision}`,
    stream,
    revision,
    type: 'PlanChangeScheduled',
    kind: 'billing',
    mark: 'plan-change',
    title: 'Plan change scheduled',
    sentence: 'The change from Monthly Plan to Annual Plan was scheduled for Apr 3, 2026.',
    amount: null,
    currency: null,
    occurred_at: occurred,
    recorded_at: new Date(Date.parse(occurred) + 400).toISOString(),
    actor: { kind: 'customer', id: 'usr_1', name: 'customer' },
    user_id: 'usr_1',
    user_email: 'dana@birchwooddental.example',
    ...overrides,
  }
}

/** `count` events on the days before Mar 18, 2026, one each day, newest first. */
export const manyEvents = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) =>
    anEvent({
      revision: 1000 - from - index,
      title: `Event ${from + index + 1}`,
      occurred_at: new Date(Date.UTC(2026, 2, 18 - from - index, 9)).toISOString(),
    }),
  )

export const eventsPage = (
  items: readonly HistoryEvent[],
  {
    total = items.length,
    next = null,
    people = [],
  }: Partial<Pick<HistoryPage, 'total' | 'next' | 'people'>> = {},
): HistoryPage => ({ items: [...items], total, totalIsExact: true, next, people })

export function aHistory(
  items: readonly HistoryEvent[],
  overrides: Partial<UserHistoryResponse> = {},
): UserHistoryResponse {
  const days = items.map(({ occurred_at, mark }) => ({
    day: occurred_at.slice(0, 10),
    mark: mark satisfies HistoryMark,
    count: 1,
  }))
  return { ...eventsPage(items), user: aUser(), days: days.reverse(), ...overrides }
}

export function aRawEvent(
  event: HistoryEvent = anEvent(),
  overrides: Partial<RawEventResponse> = {},
): RawEventResponse {
  return {
    event,
    data: {
      subscriptionId: 'sub_1TYh6mK2vLm',
      fromPlan: 'monthly',
      toPlan: 'annual',
      amount: 35900,
      currency: 'usd',
      effectiveAt: '2026-04-03T14:12:04Z',
    },
    client_data: 'none',
    metadata: {
      actor: { kind: 'customer', id: 'usr_1' },
      source: 'webhook',
      schemaVersion: 1,
      correlationId: 'c4f1b7d2-9a20',
      causationId: 'evt_1Tbx0qK2vLm',
    },
    schema_version: 1,
    changes: [{ field: 'Plan', before: 'Monthly Plan', after: 'Annual Plan' }],
    hash: '91c077de'.repeat(7) + '00004be2',
    previous_hash: '2f08a3b9'.repeat(7) + '0000d017',
    chain_is_intact: true,
    ...overrides,
  }
}
