import type { Instant } from '#contracts/instant'
import type { CommandContext } from '#services/commands/command-context'
import type { CommandHandler } from '#services/commands/handle-command'
import type { Position } from '#services/event-store/event-store'
import type { Clock } from '#services/foundation/clock'
import { administratorsStream } from '#services/foundation/stream-names'
import type { AdminPerson } from '#services/http/access'
import {
  administratorsDecider,
  type AdministratorsCommand,
  type AdministratorsRefusal,
} from './administrators-decider.ts'
import {
  activeAdministrator,
  activeAdministrators,
  type AdministratorsState,
  type Passkey,
} from './administrators-state.ts'

type Undated<Command> = Command extends unknown ? Omit<Command, 'at'> : never

export interface AddedPasskey extends Passkey {
  readonly addedAt: Instant
}

export interface Administrators {
  /** @throws EventStoreUnavailable */
  load(): Promise<AdministratorsState>
  /**
   * Who a session's administrator is now: a change of the role and an end count at once. While
   * no administrator is named, every sign-in with the shared password is an owner without a name.
   * Null if the person of the session was ended.
   * @throws EventStoreUnavailable
   */
  person(adminId: string): Promise<AdminPerson | null>
  /** The names of all administrators, ended ones included, by id. @throws EventStoreUnavailable */
  names(): Promise<ReadonlyMap<string, string>>
  /**
   * What a person calls or called the passkey, which may be removed. Null if no passkey had the id.
   * @throws EventStoreUnavailable
   */
  labelOf(passkeyId: string): Promise<string | null>
  /** Null if the id is of no active administrator. @throws EventStoreUnavailable */
  passkeysOf(adminId: string): Promise<readonly AddedPasskey[] | null>
  /**
   * `remember` receives the position of the write, for the session's next reads.
   * @throws EventStoreUnavailable
   */
  change(
    command: Undated<AdministratorsCommand>,
    context: CommandContext,
    remember?: (position: Position | null) => void,
  ): Promise<AdministratorsRefusal | null>
}

export function createAdministrators({
  commands,
  clock,
}: {
  readonly commands: CommandHandler
  readonly clock: Clock
}): Administrators {
  const request = { decider: administratorsDecider, stream: administratorsStream }
  const load = async () => (await commands.load(request)).state

  return {
    load,

    async person(adminId) {
      const state = await load()
      if (activeAdministrators(state).length === 0) return { adminId, name: null, role: 'owner' }
      const found = activeAdministrator(state, adminId)
      return found && { adminId, name: found.name, role: found.role }
    },

    async names() {
      const { administrators } = await load()
      return new Map([...administrators].map(([id, { name }]) => [id, name]))
    },

    async labelOf(passkeyId) {
      const labels = (await commands.loadEvents(request)).flatMap(({ type, data }) =>
        (type === 'PasskeyAdded' || type === 'PasskeyRenamed') && data.passkeyId === passkeyId
          ? [data.label]
          : [],
      )
      return labels.at(-1) ?? null
    },

    async passkeysOf(adminId) {
      const events = await commands.loadEvents(request)
      // A passkey that was removed and added again counts from the last addition.
      const addedAt = new Map(
        events.flatMap(({ type, data, metadata }) =>
          type === 'PasskeyAdded' ? [[data.passkeyId, metadata.occurredAt]] : [],
        ),
      )
      const person = activeAdministrator(
        events.reduce(administratorsDecider.evolve, administratorsDecider.initialState),
        adminId,
      )
      return (
        person &&
        person.passkeys.flatMap((passkey) => {
          const at = addedAt.get(passkey.passkeyId)
          return at === undefined ? [] : [{ ...passkey, addedAt: at }]
        })
      )
    },

    async change(command, context, remember) {
      const handled = await commands.handle({
        decider: administratorsDecider,
        stream: administratorsStream,
        command: { ...command, at: clock.now().toISOString() },
        context,
      })
      if (handled.kind === 'refused') return handled.refusal
      remember?.(handled.position)
      return null
    },
  }
}
