import type { AdminAccessEvent } from '#contracts/events/admin-access'
import type { CommandHandler } from '#services/commands/handle-command'
import type { Clock } from '#services/foundation/clock'
import { adminAccessStream } from '#services/foundation/stream-names'
import { commandContext } from '#services/http/command-context'
import type { RequestContext } from '#services/http/endpoint'

/** Records what an administrator, or a person who wants to be one, did. */
export type RecordAdminAccess = (
  event: AdminAccessEvent,
  /** The administrator's id. `unknown` if no administrator signed in. */
  adminId: string,
  context: RequestContext,
  /** Names what can be repeated: a repeat records nothing. */
  once?: string,
) => Promise<void>

/** No decision reads the stream: refused sign-ins can make it long. */
export function createRecordAdminAccess({
  commands,
  clock,
}: {
  readonly commands: CommandHandler
  readonly clock: Clock
}): RecordAdminAccess {
  return async (event, adminId, context, once) => {
    const occurredAt = clock.now().toISOString()
    const command = commandContext(context, { kind: 'admin', id: adminId })
    await commands.record({
      stream: adminAccessStream(occurredAt),
      event: { ...event, occurredAt },
      context: once === undefined ? command : { ...command, commandId: once },
      mayRepeat: once !== undefined,
    })
  }
}
