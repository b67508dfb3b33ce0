import type { CloseEvent } from '#contracts/events/close'
import type { Instant } from '#contracts/instant'
import type { EventCodec } from '#services/event-store/encryption/codec'
import type { EventStore } from '#services/event-store/event-store'
import { monthsBetween, type Month } from '#services/finance/calendar'
import { firstMonth } from '#services/finance/closing/close-decider'
import { closeStream } from '#services/foundation/stream-names'

/** The close of a month, as its stream has it. */
export interface MonthClose {
  readonly month: Month
  readonly timeZone: string
  readonly cutOffEventId: string
  /** Null while the totals are not recorded: the close was interrupted. */
  readonly closed:
    | (Extract<CloseEvent, { type: 'MonthClosed' }>['data'] & { readonly at: Instant })
    | null
}

/** The close of a month that was not interrupted. */
export type FinishedClose = MonthClose & { readonly closed: NonNullable<MonthClose['closed']> }

export interface CloseLog {
  readonly store: Pick<EventStore, 'readAll' | 'readStream'>
  /** A codec without personal keys: no close needs a personal field. */
  readonly codec: Pick<EventCodec, 'decode' | 'decodeStream'>
}

const streamsAtOnce = 24

/** The closes of all months up to `through`, in the order of months. Reads no other stream. */
export async function readCloses(log: CloseLog, through: Month): Promise<readonly MonthClose[]> {
  const months = monthsBetween(firstMonth, through)
  const closes: (MonthClose | null)[] = []
  for (let index = 0; index < months.length; index += streamsAtOnce)
    closes.push(
      ...(await Promise.all(
        months.slice(index, index + streamsAtOnce).map((month) => readClose(log, month)),
      )),
    )
  return closes.filter((close) => close !== null)
}

/** Null if the month was not cut off. */
async function readClose({ store, codec }: CloseLog, month: Month): Promise<MonthClose | null> {
  const events = await codec.decodeStream(await store.readStream(closeStream(month)))
  const cut = events.find((event) => event.type === 'MonthCutOff')
  if (cut === undefined) return null
  const closed = events.find((event) => event.type === 'MonthClosed')
  return {
    month,
    timeZone: cut.data.timeZone,
    cutOffEventId: cut.id,
    closed: closed === undefined ? null : { ...closed.data, at: closed.metadata.occurredAt },
  }
}
