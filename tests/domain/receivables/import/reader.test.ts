import { describe, expect, it } from '@jest/globals'
import { strToU8 } from 'fflate'
import { FileRefusal } from '../../../../web/features/receivables/import/file/file-refusal.ts'
import { proposedChoices } from '../../../../web/features/receivables/import/table/remembered-choices.ts'
import { createReader } from '../../../../web/features/receivables/import/worker/create-reader.ts'
import type {
  ReaderAnswer,
  ReaderRequest,
} from '../../../../web/features/receivables/import/worker/reader-messages.ts'
import { serveReader } from '../../../../web/features/receivables/import/worker/serve-reader.ts'
import { startReader } from '../../../../web/features/receivables/import/worker/start-reader.ts'
import { workbookFile } from '../../../support/receivables/import-files/workbook.ts'

/** A worker in the same thread, whose messages are cloned as those of a worker. */
function workerInThread() {
  type Worker = ReturnType<NonNullable<Parameters<typeof startReader>[0]>>
  let onRequest: (event: MessageEvent<ReaderRequest>) => void = () => undefined
  const event = <Data>(data: Data) => new MessageEvent('message', { data: structuredClone(data) })
  const worker: Worker = {
    onmessage: null,
    onerror: null,
    postMessage: (request) => {
      onRequest(event(request))
    },
    terminate: () => undefined,
  }
  serveReader(
    {
      addEventListener: (_, listener) => {
        onRequest = listener
      },
      postMessage: (message: ReaderAnswer) => {
        worker.onmessage?.(event(message))
      },
    },
    createReader((bytes) => Promise.resolve(`hash of ${bytes.length}`)),
  )
  return { reader: startReader(() => worker), worker }
}

const csv = (text: string) => new Blob([strToU8(text)])
const invoices = csv('No,Client,Due,Total\n1,Alder,2026-12-01,5\n2,Birch,soon,6\n')

describe('the reader of files', () => {
  it('opens a file, checks it and writes its refused rows', async () => {
    const { reader } = workerInThread()
    const file = await reader.open(invoices)
    expect(file).toEqual({
      sheets: [{ name: '', rows: 3 }],
      size: 56,
      sha256: 'hash of 56',
      table: {
        sheet: 0,
        rows: 2,
        proposed: ['number', 'client', 'dueDate', 'amount'],
        columns: [
          { name: 'No', index: 0, values: ['1', '2'] },
          { name: 'Client', index: 1, values: ['Alder', 'Birch'] },
          { name: 'Due', index: 2, values: ['2026-12-01', 'soon'] },
          { name: 'Total', index: 3, values: ['5', '6'] },
        ],
      },
    })
    const checked = await reader.check({ choices: proposedChoices(file.table), currency: 'eur' })
    expect(checked).toMatchObject({
      kind: 'checked',
      rows: [{ invoice: { row: 2, number: '1', amount: 500, currency: 'eur' } }],
      refused: [{ row: 3, reason: '“soon” is no date.' }],
    })
    expect(await reader.refusedCsv([])).toBe(
      '\ufeffRow,Why,No,Client,Due,Total\r\n3,“soon” is no date.,2,Birch,soon,6\r\n',
    )
  })

  it('shows another sheet of a workbook', async () => {
    const { reader } = workerInThread()
    const sheets = [
      { name: 'Notes', rows: [['x']] },
      {
        name: 'Open',
        rows: [
          ['No', 'Client'],
          [1, 'Alder'],
        ],
      },
    ]
    const file = await reader.open(new Blob([workbookFile({ sheets })]))
    expect(file.table).toMatchObject({ sheet: 0, rows: 0 })
    expect(await reader.chooseSheet(1)).toMatchObject({
      sheet: 1,
      rows: 1,
      proposed: ['number', 'client'],
    })
  })

  it('refuses a file with a sentence, and then opens another one', async () => {
    const { reader } = workerInThread()
    await expect(reader.open(csv(''))).rejects.toThrow(new FileRefusal('The file is empty.'))
    expect((await reader.open(invoices)).table.rows).toBe(2)
  })

  it('answers calls in their order', async () => {
    const { reader } = workerInThread()
    const [first, second] = await Promise.all([reader.open(csv('a,b\n1,2')), reader.open(invoices)])
    expect([first.table.rows, second.table.rows]).toEqual([1, 2])
  })

  it('fails a call before a file is open', async () => {
    const { reader } = workerInThread()
    await expect(reader.chooseSheet(0)).rejects.toThrow('No file is open.')
  })

  it('fails the calls that wait if the worker stops', async () => {
    const { reader, worker } = workerInThread()
    const opening = reader.open(invoices)
    worker.onerror?.(new Event('error') as ErrorEvent)
    await expect(opening).rejects.toThrow('The reader of files has stopped.')
  })
})
