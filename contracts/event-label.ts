import type { HistoryKind, HistoryMark } from './admin/history.ts'
import type { Money } from './money.ts'

/** How a timeline shows one event type. */
export interface EventLabel<Data> {
  /** A few words, in sentence case. */
  readonly title: string
  readonly kind: HistoryKind
  /** Source: the look, "Marks on the line". */
  readonly mark: HistoryMark
  /**
   * The money that the event is about, in minor units. Received money and money that is due are
   * positive, returned money is negative. Null or absent: no money. The amounts of the events of a
   * sum of money (services/admin/history/total-events.ts) add up to the sum.
   */
  readonly money?: (data: Data) => Money | null
}
