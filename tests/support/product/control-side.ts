import pino from 'pino'
import { createCommandHandler, type CommandHandler } from '#services/commands/handle-command'
import { controlFold } from '#services/controls/control-fold'
import { controlReactor } from '#services/controls/control-reactor'
import { proofByMac } from '#services/event-store/audit/event-proof'
import { chain } from '#services/event-store/audit/hash-chain'
import { createCodec, createKeylessCodec } from '#services/event-store/encryption/codec'
import { createPersonalKeys } from '#services/event-store/encryption/personal-keys'
import type { StoredEvent } from '#services/event-store/event-store'
import { createPostgresEventStore } from '#services/event-store/postgres/postgres-event-store'
import type { Control, ControlledEvent } from '#services/finance/controls/control'
import { controls } from '#services/finance/controls/controls'
import type { ReportRow } from '#services/finance/reports/report-types'
import { systemClock } from '#services/foundation/clock'
import { streamOwner } from '#services/foundation/stream-names'
import { startReactors } from '#services/reactors/run-reactor'
import { runControls, type ControlRunParameters } from '#services/reports/control-run'
import { zone } from '../data/finance-values.ts'
import { macKey } from '../event-store/mac-key.ts'
import { createTestDatabase } from '../postgres/database.ts'

export type ControlSide = Awaited<ReturnType<typeof startControlSide>>

/** A log on a separate database, and the controls over it: as reactors, and as a replay. */
export async function startControlSide() {
  const database = await createTestDatabase()
  const { pool, connectionString } = database
  const store = createPostgresEventStore({ connectionString })
  const codec = createCodec(createPersonalKeys(pool, Buffer.alloc(32, 7)))
  const commands = createCommandHandler({ store, codec, clock: systemClock, macKey })
  const proof = proofByMac(macKey)
  const stops: (() => Promise<void>)[] = []

  async function everyEvent(): Promise<readonly StoredEvent[]> {
    const events: StoredEvent[] = []
    for await (const page of store.readAll(null)) events.push(...page)
    return events
  }
  const stop = async () => void (await Promise.all(stops.map((each) => each())))

  return {
    database,
    store,
    commands,
    everyEvent,

    /** Appends the event with its id and its times. */
    async append({ id, stream, type, data, metadata }: ControlledEvent): Promise<void> {
      const last = await store.readLast(stream)
      const encoded = await codec.encode(stream, { id, type, data })
      const { previousHash: _, mac: __, ...rest } = metadata
      const event = { id, type, data: encoded.data, metadata: rest }
      await store.append(
        stream,
        last?.revision ?? 'no-stream',
        chain(stream, last ?? undefined, [event], macKey),
      )
    },

    /** The fold of the controls, without a reactor. */
    fold: (version?: number) =>
      controlFold({ store, proof, log: pino({ level: 'silent' }) }, version),

    /** One process. `handle` stands for the command handler of the process. */
    run(handle: CommandHandler['handle'] = commands.handle) {
      const log = pino({ level: 'silent' })
      const reactor = controlReactor({ commands: { handle }, pool, store, proof, log })
      const parts = { pool, store, codec, clock: systemClock, log }
      const stopOne = startReactors([reactor], { ...parts, pollMs: 20, parkedRetryMs: 20 })
      stops.push(stopOne)
      return stopOne
    },
    /** Stops every process. */
    stop,

    async replayed(
      parameters: Partial<ControlRunParameters> = {},
      chosen: readonly Control[] = controls,
    ): Promise<readonly ReportRow[]> {
      const source = { store, proof, codec: createKeylessCodec() }
      const all = { knownAt: null, timeZone: zone('UTC'), ...parameters }
      const rows: ReportRow[] = []
      for await (const batch of runControls(chosen, all, source, '').rows()) rows.push(...batch)
      return rows
    },

    /** The recorded firings, as the rows of a replay. */
    async recorded(): Promise<readonly Partial<ReportRow>[]> {
      const fired = (await everyEvent()).filter(({ type }) => type === 'ControlFired')
      return (await createKeylessCodec().decode(fired)).flatMap((event) =>
        event.type === 'ControlFired'
          ? [
              {
                firing_id: event.id,
                user_id: streamOwner(event.stream),
                control: event.data.control,
                event_id: event.data.eventId,
                sentence: event.data.sentence,
                fired_at: event.metadata.occurredAt,
              },
            ]
          : [],
      )
    },

    async close() {
      await stop()
      await store.close()
      await database.drop()
    },
  }
}

/** Rows of a replay without the column that an event ControlFired lacks. */
export const firingsById = (rows: readonly Partial<ReportRow>[]) =>
  rows
    .map((row) =>
      Object.fromEntries(Object.entries(row).filter(([column]) => column !== 'occurred_at')),
    )
    .sort((a, b) => String(a['firing_id']).localeCompare(String(b['firing_id'])))
