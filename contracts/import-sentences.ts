import type { ImportEvent } from './events/import.ts'

type DataByType = { readonly [Each in ImportEvent as Each['type']]: Each['data'] }

const rowsInWords = (count: number) => (count === 1 ? '1 row' : `${count} rows`)

/** What the events of imports say. No sentence names a client, or the file. */
export const importSentences: {
  readonly [Type in keyof DataByType]: (data: DataByType[Type]) => string
} = {
  ImportStarted: ({ rows }) => `An import of ${rowsInWords(rows)} was started.`,
  ImportRowsBegun: ({ rows }) => `The import began to store ${rowsInWords(rows.length)}.`,
  ImportRowsStored: ({ rows }) => {
    const refused = rows.filter(({ outcome }) => outcome === 'refused').length
    return `The import stored ${rowsInWords(rows.length - refused)} and refused ${rowsInWords(refused)}.`
  },
  ImportMissingFound: ({ receivableIds: { length } }) =>
    `The complete file did not contain ${length === 1 ? '1 open invoice' : `${length} open invoices`}.`,
  ImportFinished: ({ isComplete }) =>
    isComplete
      ? 'The import was finished. Open invoices that the file did not contain were marked as paid.'
      : 'The import was finished.',
  ImportUndoStarted: () => 'The undo of the import was started.',
  ImportUndone: () => 'The import was undone.',
}
