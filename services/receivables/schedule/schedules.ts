import type { MerchantEvent } from '#contracts/events/merchant'
import type { UserId } from '#contracts/ids'
import type { Instant } from '#contracts/instant'
import type { CommandContext } from '#services/commands/command-context'
import type { CommandHandler } from '#services/commands/handle-command'
import type { Position } from '#services/event-store/event-store'
import type { Clock } from '#services/foundation/clock'
import { merchantStream } from '#services/foundation/stream-names'
import { merchantDecider, type MerchantRefusal } from '../merchant-decider.ts'
import type { ReminderCommand, ReminderSettings } from './reminder-settings.ts'
import { sendingStart } from './sending-start.ts'

export interface SchedulesParts {
  readonly commands: Pick<CommandHandler, 'handle' | 'loadEvents'>
  /** The business clock. */
  readonly clock: Clock
}

/** An act without its time. */
type Act<Command = ReminderCommand> = Command extends unknown ? Omit<Command, 'at'> : never

type Done =
  | { readonly kind: 'refused'; readonly refusal: MerchantRefusal }
  | {
      readonly kind: 'done'
      readonly settings: ReminderSettings
      readonly position: Position | null
    }

interface ReadSettings extends ReminderSettings {
  /** Of the schedule or the time zone. Null: never. */
  readonly savedAt: Instant | null
  /** Since reminders are on or off. Null: they were never on. */
  readonly isOnSince: Instant | null
  readonly stoppedAt: Instant | null
  /** Since when reminders can go out, if the plan allows them. Null: they are off. */
  readonly sendingSince: Instant | null
  /** When reminders were turned on for the first time. Null: never. */
  readonly firstOn: Instant | null
}

/** How merchants remind their clients, and what administrators allow them. */
export interface Schedules {
  /** @throws EventStoreUnavailable */
  read(merchantId: UserId): Promise<ReadSettings>
  /** @throws EventStoreUnavailable */
  act(merchantId: UserId, act: Act, context: CommandContext): Promise<Done>
}

export function createSchedules({ commands, clock }: SchedulesParts): Schedules {
  return {
    async read(merchantId) {
      const events = await commands.loadEvents({
        decider: merchantDecider,
        stream: merchantStream(merchantId),
      })
      const { reminders } = events.reduce(merchantDecider.evolve, merchantDecider.initialState)
      const last = (...types: readonly MerchantEvent['type'][]) =>
        events.findLast(({ type }) => types.includes(type))?.metadata.occurredAt ?? null
      return {
        ...reminders,
        savedAt: last('ScheduleChanged', 'TimeZoneChosen'),
        isOnSince: last('RemindersTurnedOn', 'RemindersTurnedOff'),
        firstOn:
          events.find(({ type }) => type === 'RemindersTurnedOn')?.metadata.occurredAt ?? null,
        sendingSince: reminders.isOn ? sendingStart(events) : null,
        stoppedAt: reminders.stoppedBecause === null ? null : last('SendingStopped'),
      }
    },

    async act(merchantId, act, context) {
      const handled = await commands.handle({
        decider: merchantDecider,
        stream: merchantStream(merchantId),
        command: { ...act, at: clock.now().toISOString() },
        context,
      })
      return handled.kind === 'refused'
        ? { kind: 'refused', refusal: handled.refusal }
        : { kind: 'done', settings: handled.state.reminders, position: handled.position }
    },
  }
}
