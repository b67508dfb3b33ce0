import type { KeyObject } from 'node:crypto'
import type { StopId } from '#contracts/ids'
import type { CommandContext } from '#services/commands/command-context'
import type { CommandHandler } from '#services/commands/handle-command'
import type { Clock } from '#services/foundation/clock'
import { contactStopStream } from '#services/foundation/stream-names'
import {
  contactStopDecider,
  type ContactStopCommand,
  type StopVia,
} from './contact-stop-decider.ts'

type Handling = Pick<CommandHandler, 'handle' | 'load'>

export interface ContactStops {
  /** Identifies a number without revealing it. Null for a text that is no number. */
  idOfPhone(phone: string): Promise<StopId | null>
  /** Whether STOP was answered from the number, as the log says now. */
  isPhoneStopped(phone: string): Promise<boolean>
  /** False for a text that is no number. */
  stopPhone(
    phone: string,
    via: Extract<StopVia, 'text' | 'provider'>,
    context: CommandContext,
  ): Promise<boolean>
  /** START from the number. False for a text that is no number. */
  resumePhone(phone: string, context: CommandContext): Promise<boolean>
}

export function createContactStops({
  commands,
  clock,
  key,
}: {
  readonly commands: Handling
  /** The business clock. */
  readonly clock: Clock
  /** Of the HMACs (`stopKeyOf`). */
  readonly key: KeyObject
}): ContactStops {
  // With the first address: libphonenumber's numbers of all countries take time at a start.
  const load = async () => (await import('./stop-ids.ts')).createStopIds(key)
  let loading: ReturnType<typeof load> | undefined
  const ids = () => (loading ??= load())

  const viaOf = async (stopId: StopId | null): Promise<StopVia | null> => {
    if (stopId === null) return null
    const stream = contactStopStream(stopId)
    return (await commands.load({ decider: contactStopDecider, stream })).state.stoppedVia
  }
  const at = () => clock.now().toISOString()

  async function handle(
    stopId: StopId | null,
    command: ContactStopCommand,
    context: CommandContext,
  ): Promise<boolean> {
    if (stopId === null) return false
    await commands.handle({
      decider: contactStopDecider,
      stream: contactStopStream(stopId),
      command,
      context,
    })
    return true
  }

  return {
    idOfPhone: async (phone) => (await ids()).ofPhone(phone),
    isPhoneStopped: async (phone) => (await viaOf((await ids()).ofPhone(phone))) !== null,
    stopPhone: async (phone, via, context) =>
      handle((await ids()).ofPhone(phone), { type: 'stop', via, at: at() }, context),
    resumePhone: async (phone, context) =>
      handle((await ids()).ofPhone(phone), { type: 'resume', via: 'text', at: at() }, context),
  }
}
