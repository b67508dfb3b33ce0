import type { ClientId, UserId } from '#contracts/ids'
import type { ComingMessages, NextMessages } from '#contracts/receivables/messages'

/** What the planner of reminders says about coming messages. Injected: the sending knows it. */
export interface MessagesOf {
  /** @throws EventStoreUnavailable */
  coming(merchantId: UserId, clientId: ClientId): Promise<ComingMessages>
  /**
   * The messages of all clients that go out next, in the order of time: `most` at most.
   * @throws EventStoreUnavailable
   */
  next(merchantId: UserId, most: number): Promise<Omit<NextMessages, 'sentToday'>>
}
