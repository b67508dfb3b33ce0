import { describe, expect, it } from '@jest/globals'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { HttpResponse } from 'msw'
import type { CheckedRow, ImportSummary, SentRow } from '#contracts/receivables/imports'
import { email, session } from '../support/auth-answers.ts'
import { refusal, startApiServer, unreachable } from '../support/api-server.ts'
import { installWorker, someSha256 } from '../support/in-process-worker.ts'
import { openPage, preload } from '../support/open-page.tsx'
import { anOverview, withoutPlan } from '../support/receivables-data.ts'

preload(
  () => import('../../../web/app/receivables-layout.tsx'),
  () => import('../../../web/features/receivables/import/page/import-page.tsx'),
)
installWorker()

const server = startApiServer()
const imports = '/api/receivables/imports'

/** 60 rows are two parts of a run. */
const csv = [
  'Invoice,Customer,Due date,Amount',
  ...Array.from({ length: 60 }, (_, row) => `A-${row + 1},Grace Whitaker,2027-01-15,100.00`),
].join('\n')

const summary: ImportSummary = {
  importId: 'import_1',
  fileName: 'plans.csv',
  size: 100,
  sha256: someSha256,
  standing: 'finished',
  rows: 60,
  counts: { added: 60, changed: 0, unchanged: 0, refused: 0 },
  missing: 0,
}

type Earlier = ImportSummary & { readonly startedAt: string; readonly startedBy: string }
const page = (items: readonly Earlier[]) => ({
  page: 1,
  pageSize: 10,
  total: items.length,
  totalIsExact: true,
  items: [...items],
})

/** The rows of the last call. */
const sent = () => (server.calls.at(-1)?.body as { rows: SentRow[] } | undefined)?.rows ?? []

const checked = ({ row, number }: SentRow): CheckedRow => ({
  row,
  number,
  outcome: 'added',
  code: null,
  sentence: null,
  receivableId: `receivable_00000000-0000-4000-8000-0000000000${String(row).padStart(2, '0')}`,
  clientId: 'client_1',
  changes: [],
  isNewClient: false,
  candidates: [],
  consentNote: null,
})

async function open(
  overview = anOverview(),
  earlier: Parameters<typeof page>[0] = [],
  check = checked,
) {
  localStorage.setItem('userEmail', email)
  server.get('/api/auth/session', session)
  server.get('/api/receivables/overview', overview)
  server.get(imports, page(earlier))
  server.post(`${imports}/check`, () => HttpResponse.json({ results: sent().map(check) }))
  server.post(`${imports}/missing`, { total: 0, sums: [], items: [] })
  server.post(imports, { importId: 'import_1' })
  server.post(`${imports}/import_1/rows`, () => HttpResponse.json({ results: sent().map(checked) }))
  server.post(`${imports}/import_1/finish`, summary)
  openPage('/receivables/import')
  await screen.findByRole('heading', { level: 2, name: 'File' })
}

async function choose(text = csv): Promise<void> {
  const input = screen.getByLabelText('File to import')
  fireEvent.change(input, { target: { files: [new File([text], 'plans.csv')] } })
  await screen.findByRole('button', { name: 'Choose another file' })
}

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
/** The list has the same path. */
const starts = () => server.sentTo(imports).filter((body) => body !== undefined)
const rowsOfRun = () =>
  server
    .sentTo(`${imports}/import_1/rows`)
    .map((body) => (body as { rows: SentRow[] }).rows.map(({ row }) => row))

describe('the page of the import', () => {
  it('states without a plan why no file can be imported', async () => {
    await open(anOverview({ access: withoutPlan }))
    expect(screen.getByText(`No file can be imported. ${withoutPlan.sentence}`)).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Choose a file' })).toBeNull()
  })

  it('states why a file cannot be read', async () => {
    await open()
    await choose('%PDF-1.7')
    expect(
      await screen.findByText('The file is a PDF document. Export the invoices as CSV or XLSX.'),
    ).toBeVisible()
  })

  it('names the required columns that are not chosen', async () => {
    await open()
    await choose('Invoice,Customer,Due date\nA-1,Grace Whitaker,2027-01-15\n')
    expect(await screen.findByText('Choose the column with the amount.')).toBeVisible()
  })

  it('asks in the row whom it is about, and checks it with the answer', async () => {
    const candidates = [
      { clientId: 'client_1', name: 'Grace Whitaker', number: 'C-1', email: null },
      { clientId: 'client_2', name: 'Grace Whitaker', number: 'C-2', email: null },
    ]
    const sentence = 'This could be one of several clients. Choose the client.'
    await open(anOverview(), [], (row) =>
      row.row === 2 && row.clientChoice === null
        ? { ...checked(row), outcome: 'refused', code: 'unclear-client', sentence, candidates }
        : checked(row),
    )
    await choose()
    const choice = await screen.findByRole('combobox', { name: 'Client of row 2' })
    expect(choice).toHaveAccessibleDescription(sentence)
    expect(screen.getByText('Not imported; 1 row waits for your answer')).toBeVisible()
    fireEvent.change(choice, { target: { value: 'client_2' } })
    await screen.findByRole('button', { name: 'Import 60 rows' })
    const last = server.sentTo(`${imports}/check`).at(-1) as { rows: SentRow[] }
    expect(last.rows).toMatchObject([{ row: 2, clientChoice: 'client_2' }])
  })

  it('repeats the part whose answer was lost, and no other', async () => {
    await open()
    await choose()
    let tries = 0
    server.post(`${imports}/import_1/rows`, () => {
      tries += 1
      return tries === 2 ? unreachable() : HttpResponse.json({ results: sent().map(checked) })
    })
    fireEvent.click(await screen.findByRole('button', { name: 'Import 60 rows' }))
    expect(await screen.findByRole('heading', { name: 'Connection lost' })).toBeVisible()
    expect(screen.getByText(/It continues with row 52\. No row is stored twice\./)).toBeVisible()
    expect(screen.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '50')
    press('Try now')
    expect(await screen.findByText(/^60 rows imported in/)).toBeVisible()
    expect(screen.queryByText(/^Nothing is stored/)).toBeNull()
    const [first, second, third] = rowsOfRun()
    expect(first).toHaveLength(50)
    expect(second).toEqual(third)
    expect(rowsOfRun()).toHaveLength(3)
  })

  it('stops when the server refuses, with its sentence, and continues the same import', async () => {
    await open()
    await choose()
    const error = 'You have no plan, so nothing can be changed.'
    server.post(`${imports}/import_1/rows`, refusal(403, { error, code: 'read-only' }))
    fireEvent.click(await screen.findByRole('button', { name: 'Import 60 rows' }))
    expect(await screen.findByText(error)).toBeVisible()
    server.get(`${imports}/import_1`, stored([]))
    server.post(`${imports}/import_1/rows`, () =>
      HttpResponse.json({ results: sent().map(checked) }),
    )
    press('Continue')
    expect(await screen.findByText(/^60 rows imported in/)).toBeVisible()
    expect(starts()).toHaveLength(1)
  })

  it('offers the started import of the same file, and sends the rows that are not stored', async () => {
    const counts = { added: 40, changed: 0, unchanged: 0, refused: 0 }
    await open(anOverview(), [
      {
        ...summary,
        standing: 'running',
        counts,
        startedAt: '2026-11-25T18:12:00.000Z',
        startedBy: 'you',
      },
    ])
    server.get(`${imports}/import_1`, stored([[2, 41]]))
    await choose()
    expect(
      await screen.findByText(/An import of this file started on Nov 25, 2026/),
    ).toHaveTextContent('40 of 60 rows are stored. No row is stored twice.')
    const button = screen.getByRole('button', { name: 'Continue the import' })
    await waitFor(() => expect(button).not.toHaveAttribute('aria-busy'))
    fireEvent.click(button)
    expect(await screen.findByText(/^60 rows imported in/)).toBeVisible()
    expect(starts()).toEqual([])
    expect(rowsOfRun()).toEqual([Array.from({ length: 20 }, (_, index) => 42 + index)])
  })

  it('says who started each earlier import', async () => {
    const startedAt = '2026-11-25T18:12:00.000Z'
    await open(anOverview(), [
      { ...summary, startedAt, startedBy: 'you' },
      { ...summary, importId: 'import_2', startedAt, startedBy: 'support' },
    ])
    const table = await screen.findByRole('table', { name: 'Earlier imports' })
    const heads = within(table).getAllByRole('columnheader')
    const column = heads.findIndex((head) => head.textContent === 'By')
    const cells = within(table)
      .getAllByRole('row')
      .slice(1)
      .map((row) => within(row).getAllByRole('cell')[column]?.textContent)
    expect(cells).toEqual(['By: You', 'By: Support'])
  })

  it('shows why an import cannot be undone', async () => {
    await open(anOverview(), [
      { ...summary, startedAt: '2026-11-25T18:12:00.000Z', startedBy: 'you' },
    ])
    const error =
      'The import cannot be undone, because something happened to these invoices since: A-1.'
    server.post(`${imports}/import_1/undo`, refusal(409, { error, code: 'import-used' }))
    fireEvent.click(await screen.findByRole('button', { name: 'Undo the import of plans.csv' }))
    const dialog = await screen.findByRole('dialog')
    expect(dialog).toHaveTextContent('60 added invoices are withdrawn.')
    fireEvent.click(within(dialog).getByRole('button', { name: 'Undo import' }))
    expect(await within(dialog).findByText(error)).toBeVisible()
  })
})

function stored(storedRows: [number, number][]) {
  return {
    ...summary,
    standing: 'running',
    access: anOverview().access,
    storedRows,
    page: 1,
    pageSize: 1,
    total: 0,
    items: [],
  }
}
