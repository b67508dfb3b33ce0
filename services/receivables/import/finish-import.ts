import type { ImportId, ReceivableId, UserId } from '#contracts/ids'
import type { CommandContext } from '#services/commands/command-context'
import type { CommandHandler } from '#services/commands/handle-command'
import { inParallel } from '#services/foundation/in-parallel'
import { receivableStream } from '#services/foundation/stream-names'
import { partIdOf } from '../receivable-id.ts'
import { receivableDecider } from '../receivable-decider.ts'
import { causationOf } from './done-by.ts'
import { importDecider, type ImportRefusal, type StartedImport } from './import-decider.ts'
import type { Done, ImportStream, Refused } from './import-stream.ts'
import { takeBack, type UndoParts } from './undo-import.ts'
import { rowsOf } from './row-table.ts'

/** Streams that are written at once. */
const parallelStreams = 16
const largestEvent = 500

export interface FinishParts extends ImportStream {
  readonly parts: UndoParts & { readonly commands: CommandHandler }
  /** Open invoices that are neither among these nor have such a number. */
  readonly missing: (
    merchantId: UserId,
    contained: ReadonlySet<ReceivableId>,
    keepNumbers: readonly string[],
  ) => Promise<readonly { readonly receivableId: ReceivableId }[]>
  readonly now: () => string
}

/** Ends an import. If its file was complete, settles the open invoices that it does not contain. */
export async function finishImport(
  { find, send, parts, missing, now }: FinishParts,
  merchantId: UserId,
  importId: ImportId,
  {
    isComplete,
    keepNumbers,
  }: { readonly isComplete: boolean; readonly keepNumbers: readonly string[] },
  context: CommandContext,
): Promise<Refused<ImportRefusal> | Done> {
  const before = await find(merchantId, importId)
  if (before === null) return { kind: 'refused', refusal: { kind: 'not-found' } }
  const base = { merchantId, at: now() } as const
  const finish = { type: 'finish-import', isComplete, ...base } as const
  if (!isComplete || before.standing !== 'running') return send(importId, finish, context, 'finish')
  // Refused before anything changes.
  const planned = importDecider.decide(finish, before)
  if (planned.kind === 'refused') return planned
  const found = await missing(merchantId, containedIn(before), keepNumbers)
  let state = before
  for (let first = 0; first < found.length; first += largestEvent) {
    const receivableIds = found
      .slice(first, first + largestEvent)
      .map(({ receivableId }) => receivableId)
    const command = { type: 'find-missing', receivableIds, ...base } as const
    const done = await send(importId, command, context, `missing ${receivableIds[0]}`)
    if (done.kind === 'refused') return done
    state = done.state
  }
  const causationId = causationOf(importId)
  await inParallel(parallelStreams, [...state.missing], async (receivableId) => {
    const commandId = `${importId} missing ${receivableId}`
    await parts.commands.handle({
      decider: receivableDecider,
      stream: receivableStream(receivableId),
      command: {
        type: 'settle-missing',
        paymentId: partIdOf('payment', commandId),
        today: before.day,
        ...base,
      },
      context: { ...context, commandId, causationId },
    })
  })
  const finished = await send(importId, finish, context, 'finish')
  if (finished.kind === 'refused' && finished.refusal.kind === 'import-over') {
    // The undo can have read the streams of these invoices before they were written.
    const part = { receivableIds: [...state.missing], addedClients: [] }
    await takeBack(parts, { importId, state, part }, context)
  }
  return finished
}

/** The receivables that the file contains, those of refused rows included. */
function containedIn({ known }: StartedImport): ReadonlySet<ReceivableId> {
  return new Set([...rowsOf(known)].flatMap(([, { place }]) => place?.receivableId ?? []))
}
