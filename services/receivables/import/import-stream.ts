import type { ImportId, UserId } from '#contracts/ids'
import type { CommandContext } from '#services/commands/command-context'
import type { CommandHandler } from '#services/commands/handle-command'
import type { Position } from '#services/event-store/event-store'
import { importStream } from '#services/foundation/stream-names'
import {
  importDecider,
  type ImportCommand,
  type ImportRefusal,
  type StartedImport,
} from './import-decider.ts'

export type Refused<Refusal> = { readonly kind: 'refused'; readonly refusal: Refusal }
export type Done = {
  readonly kind: 'done'
  readonly state: StartedImport
  readonly position: Position | null
}

export type ImportStream = ReturnType<typeof createImportStream>

/** The stream of one import. */
export function createImportStream(commands: CommandHandler) {
  /** Null if there is none, or it is another merchant's. */
  async function find(merchantId: UserId, importId: ImportId): Promise<StartedImport | null> {
    const { state } = await commands.load({
      decider: importDecider,
      stream: importStream(importId),
    })
    return state.kind === 'none' || state.merchantId !== merchantId ? null : state
  }

  /** `part` tells the commands of one request apart. */
  async function send(
    importId: ImportId,
    command: ImportCommand,
    context: CommandContext,
    part: string,
  ): Promise<Refused<ImportRefusal> | Done> {
    const handled = await commands.handle({
      decider: importDecider,
      stream: importStream(importId),
      command,
      context: { ...context, commandId: `${context.commandId} ${part}` },
    })
    if (handled.kind === 'refused') return { kind: 'refused', refusal: handled.refusal }
    const { state, position } = handled
    if (state.kind === 'none') return { kind: 'refused', refusal: { kind: 'not-found' } }
    return { kind: 'done', state, position }
  }

  return { find, send }
}
