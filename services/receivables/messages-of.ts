import type { ClientId, ReceivableId, UserId } from '#contracts/ids'
import type { ComingMessages, NextMessages, NextStep } from '#contracts/receivables/messages'

/** What the planner of reminders says about coming messages. Injected: the sending knows it. */
export interface MessagesOf {
  /** @throws EventStoreUnavailable */
  coming(merchantId: UserId, clientId: ClientId): Promise<ComingMessages>
  /**
   * What goes out next to all clients, and what does not.
   * @throws EventStoreUnavailable
   */
  next(merchantId: UserId): Promise<Omit<NextMessages, 'sentToday'>>
  /**
   * The next step of each of these invoices that is open.
   * @throws EventStoreUnavailable
   */
  nextSteps(
    merchantId: UserId,
    receivableIds: readonly ReceivableId[],
  ): Promise<readonly NextStep[]>
}
