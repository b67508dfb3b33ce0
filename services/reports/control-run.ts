import type { ReportColumn } from '#contracts/finance/report-columns'
import type { RecordedEvent } from '#contracts/events/catalogue'
import { firingId } from '#services/controls/firing-id'
import type { EventProof } from '#services/event-store/audit/event-proof'
import type { EventCodec } from '#services/event-store/encryption/codec'
import type { EventStore, StoredEvent } from '#services/event-store/event-store'
import { isDamaged } from '#services/event-store/newer-event'
import type { Control } from '#services/finance/controls/control'
import { isControlled } from '#services/finance/controls/controls'
import { watch, type Firing, type CustomerWatch } from '#services/finance/controls/watch'
import { categoryOf, streamOwner } from '#services/foundation/stream-names'
import type { ReportFile } from './formats/report-file.ts'
import type { ReportParameters, ReportRow } from '#services/finance/reports/report-types'
import { isOfUnknownForm } from './finance-events.ts'
import { knownBy } from './run-report.ts'

export type ControlRunParameters = Pick<ReportParameters, 'knownAt' | 'timeZone'>

const columns: readonly ReportColumn[] = [
  { name: 'fired_at', kind: 'text', definition: 'When the product recorded the event.' },
  { name: 'control', kind: 'text', definition: 'The name of the control.' },
  { name: 'user_id', kind: 'id', definition: 'The customer.' },
  { name: 'sentence', kind: 'text', definition: 'What happened.' },
  { name: 'occurred_at', kind: 'text', definition: 'When the event happened.' },
  { name: 'event_id', kind: 'id', definition: 'The event that broke the rule.' },
  { name: 'firing_id', kind: 'id', definition: 'The event ControlFired of the running product.' },
]

export interface ControlSource {
  /** Not proven as a whole: a forged event leaves out its customer only. */
  readonly store: Pick<EventStore, 'readAll'>
  readonly proof: EventProof
  /** A codec without personal keys: personal fields then read as '[erased]', at no cost. */
  readonly codec: Pick<EventCodec, 'decode'>
  /** Receives the number of events of each page. */
  readonly onEvents?: (count: number) => void
}

/** The firings, and what they lack. */
export interface ControlRun extends ReportFile {
  /** The sentence about each customer with an event that cannot be read. Call it after the rows. */
  readonly leftOut: () => ReadonlyMap<string, string>
}

/**
 * Replays the controls over the whole log, page by page: each firing since the first event, in the
 * order of the log. A customer with an event that cannot be read is left out from this event on.
 * Its memory grows with customers and payments, not with events.
 */
export function runControls(
  controls: readonly Control[],
  { knownAt, timeZone }: ControlRunParameters,
  { store, proof, codec, onEvents = () => undefined }: ControlSource,
  computedAt: string,
): ControlRun {
  const types = new Set<string>(controls.flatMap(({ consumer }) => [...consumer.folds]))
  let position: string | null = null
  const leftOut = new Map<string, string>()

  async function decode(events: readonly StoredEvent[]): Promise<readonly RecordedEvent[]> {
    const ofOthers = events.filter(({ stream }) => !leftOut.has(streamOwner(stream)))
    try {
      proof.refuseForged(ofOthers)
      return await codec.decode(ofOthers)
    } catch (error) {
      if (!isDamaged(error)) throw error
      return decodeEach(ofOthers)
    }
  }

  async function decodeEach(events: readonly StoredEvent[]): Promise<readonly RecordedEvent[]> {
    const decoded: RecordedEvent[] = []
    for (const event of events) {
      const userId = streamOwner(event.stream)
      if (leftOut.has(userId)) continue
      try {
        proof.refuseForged([event])
        decoded.push(...(await codec.decode([event])))
      } catch (error) {
        if (!isDamaged(error)) throw error
        leftOut.set(userId, error.message)
      }
    }
    return decoded
  }

  async function* rows(): AsyncGenerator<readonly ReportRow[]> {
    const isKnown = knownBy({ knownAt, timeZone })
    const customers = new Map<string, CustomerWatch>()
    for await (const page of store.readAll(null)) {
      const read: StoredEvent[] = []
      for (const event of page) {
        const isOfPast = isKnown(event)
        if (isOfPast) position = event.position
        if (!isRead(categoryOf(event.stream))) continue
        const isOfControls = isOfPast && (types.has(event.type) || isOfUnknownForm(event))
        // The type and the time of a forged event can be forged, too.
        if (isOfControls || !proof.isGenuine(event)) read.push(event)
      }
      const firings = (await decode(read)).filter(isControlled).flatMap((event) => {
        const userId = streamOwner(event.stream)
        const customer = customers.get(userId) ?? watch(controls, {})
        customers.set(userId, customer)
        return customer.next(event)
      })
      onEvents(page.length)
      if (firings.length > 0) yield firings.map(rowOf)
    }
  }

  return {
    name: 'controls',
    title: 'Firings of controls',
    columns,
    parameters: {
      controls: controls.map(({ name }) => name).join(' '),
      known_at: knownAt,
      time_zone: timeZone,
    },
    computedAt,
    rows,
    position: () => position,
    leftOut: () => leftOut,
  }
}

function isRead(category: string): boolean {
  return category === 'account' || category === 'billing'
}

function rowOf(firing: Firing): ReportRow {
  const { control, userId, eventId, occurredAt, recordedAt, sentence } = firing
  return {
    fired_at: recordedAt,
    control,
    user_id: userId,
    sentence,
    occurred_at: occurredAt,
    event_id: eventId,
    firing_id: firingId(firing),
  }
}
