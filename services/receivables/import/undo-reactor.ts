import { parseImportId } from '#contracts/ids'
import { eventConsumer } from '#services/foundation/event-consumer'
import { streamOwner } from '#services/foundation/stream-names'
import { defineReactor, type Reactor } from '#services/reactors/reactor'
import { reactorContext } from '#services/reactors/reactor-context'
import { undoImport, type UndoParts } from './undo-import.ts'

const name = 'import-undo'

const undone = eventConsumer({
  name: 'undo of imports',
  concernedBy: ['import'],
  ignores: [
    'ImportStarted',
    'ImportRowsBegun',
    'ImportRowsStored',
    'ImportMissingFound',
    'ImportFinished',
    'ImportUndone',
  ],
})

/** Completes the undo that a request has started. */
export function undoReactor(parts: UndoParts): Reactor {
  return defineReactor({
    name,
    handles: [undone],
    async effect(event) {
      const importId = parseImportId(streamOwner(event.stream))
      await undoImport(parts, importId, reactorContext(name, event))
    },
  })
}
