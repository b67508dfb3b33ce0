import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { findTable } from '../../../../web/features/receivables/import/table/find-table.ts'
import { proposeColumns } from '../../../../web/features/receivables/import/table/propose-columns.ts'
import {
  choicesKey,
  proposedChoices,
  rememberChoices,
  rememberedChoices,
  type Choices,
} from '../../../../web/features/receivables/import/table/remembered-choices.ts'
import {
  namesOf,
  plainName,
} from '../../../../web/features/receivables/import/table/target-names.ts'
import {
  missingColumns,
  targetLabels,
  targets,
} from '../../../../web/features/receivables/import/table/targets.ts'

/** Rows from 1, without the empty ones. */
const rowsOf = (cells: readonly (readonly string[])[]) =>
  cells.flatMap((each, index) =>
    each.some((cell) => cell !== '') ? [{ row: index + 1, cells: each }] : [],
  )

const header = ['Inv No', 'Account', 'Due Date', 'Total', 'Chair']
const data = [
  ['PL-1', 'Ruth Calloway', '12/10/2026', '180.00', '2'],
  ['PL-2', 'Ben Ostrander', '01/10/2027', '95.00', ''],
]

describe('the header', () => {
  it('is found below titles, and the rows keep their numbers', () => {
    const table = findTable(
      rowsOf([['Invoices 2026'], [], ['', 'as of', 'Nov 25'], header, ...data]),
    )
    expect(table).toEqual({
      headerRow: 4,
      columns: header.map((name, index) => ({ name, index })),
      proposed: ['number', 'client', 'dueDate', 'amount', null],
      rows: [
        { row: 5, cells: data[0] },
        { row: 6, cells: data[1] },
      ],
    })
  })

  it('of two lines has the names of both, also of a name over several columns', () => {
    const table = findTable(
      rowsOf([
        ['Report of open invoices', '', '', '', ''],
        ['Invoice', '', 'Customer', 'Payment', 'Open'],
        ['No.', 'Date', '', 'Due', ''],
        ['1', '2026-11-02', 'Alder', '2026-12-02', '5.00'],
      ]),
    )
    expect(table.columns.map(({ name }) => name)).toEqual([
      'Invoice No.',
      'Invoice Date',
      'Customer',
      'Payment Due',
      'Open',
    ])
    expect(table.proposed).toEqual(['number', 'issueDate', 'client', 'dueDate', 'amount'])
    expect(table.headerRow).toBe(3)
  })

  it('that is repeated on each page is no row', () => {
    expect(findTable(rowsOf([header, ...data, header, ...data])).rows).toHaveLength(4)
  })

  it('without a name for a column with values has the place of the column', () => {
    const { columns } = findTable(
      rowsOf([
        [...header, '', ''],
        [...(data[0] ?? []), '', 'x'],
      ]),
    )
    expect(columns.slice(-1)).toEqual([{ name: 'Column G', index: 6 }])
  })

  it('of unknown names is the first of the widest rows', () => {
    const table = findTable(rowsOf([['Liste'], ['Nummer', 'Kunde', 'Betrag'], ['1', 'Alder', '5']]))
    expect(table.headerRow).toBe(2)
    expect(table.proposed).toEqual([null, null, null])
  })

  it('that does not exist takes no invoice', () => {
    const table = findTable(rowsOf(data))
    expect(table).toMatchObject({ headerRow: 0, proposed: [null, null, null, null, null] })
    expect(table.columns.map(({ name }) => name)).toEqual(
      ['A', 'B', 'C', 'D', 'E'].map((letter) => `Column ${letter}`),
    )
    expect(table.rows).toHaveLength(2)
  })

  it('is the same with any titles above it', () => {
    const word = fc.stringMatching(/^[A-Z][a-z]{0,9}( [0-9]{1,4})?$/)
    const title = fc.array(fc.oneof(fc.constant(''), word), { maxLength: 5 })
    const without = findTable(rowsOf([header, ...data]))
    fc.assert(
      fc.property(fc.array(title, { maxLength: 40 }), (titles) => {
        const table = findTable(rowsOf([...titles, header, ...data]))
        expect(table.headerRow).toBe(titles.length + 1)
        expect(table.proposed.slice(0, 5)).toEqual(without.proposed)
        expect(table.rows.map(({ row }) => row - titles.length)).toEqual([2, 3])
      }),
    )
  })
})

describe('the proposed columns', () => {
  it.each([
    [
      ['*InvoiceNo', 'CUSTOMER', 'Due', 'Amt'],
      ['number', 'client', 'dueDate', 'amount'],
    ],
    [
      ['Name', 'Customer', 'Invoice'],
      [null, 'client', 'number'],
    ],
    [
      ['Total', 'Amount'],
      ['amount', null],
    ],
    [
      ['Balance', 'Line total'],
      ['openAmount', 'lineTotal'],
    ],
    [['Balance'], ['amount']],
    [
      ['Line total', 'Total'],
      [null, 'amount'],
    ],
    [
      ['E-Mail', 'Cell Phone', 'ST', 'Time Zone'],
      ['email', 'phone', 'state', 'timeZone'],
    ],
    [
      ['Customer ID', 'Customer', 'P.O. #'],
      ['clientNumber', 'client', 'reference'],
    ],
    [
      ['Text consent', 'Text consent date'],
      ['consentSource', 'consentDate'],
    ],
    [
      ['Número', 'Date (UTC)', 'Due Date (UTC)'],
      [null, 'issueDate', 'dueDate'],
    ],
    [
      ['constructor', '__proto__'],
      [null, null],
    ],
  ])('of %j are %j', (names, mapping) => {
    expect(proposeColumns(names.map((name) => [name]))).toEqual(mapping)
  })

  it('have each target once, whatever the names are', () => {
    const name = fc.constantFrom(
      'Invoice',
      'Number',
      'No',
      'Client',
      'Name',
      'Total',
      'Amount',
      'Balance',
      'Date',
      'Due',
      'Line total',
      'x',
    )
    fc.assert(
      fc.property(fc.array(name), (names) => {
        const used = proposeColumns(names.map((each) => [each])).filter((target) => target !== null)
        expect(new Set(used).size).toBe(used.length)
      }),
    )
  })

  it('have names that belong to one target', () => {
    const names = Object.values(namesOf).flat()
    expect(new Set(names).size).toBe(names.length)
    expect(names.map(plainName)).toEqual(names)
  })

  it('can be told apart by their labels', () => {
    expect(new Set(Object.values(targetLabels)).size).toBe(targets.length)
  })

  it('name what is missing', () => {
    expect(missingColumns(['reference', null])).toEqual([
      'Choose the column with the invoice number.',
      'Choose the column with the client.',
      'Choose the column with the due date, or the columns with issue date and terms.',
      'Choose the column with the amount.',
    ])
    expect(missingColumns(['number', 'client', 'terms', 'lineTotal'])).toEqual([
      'Terms need an issue date. Choose its column.',
    ])
    expect(missingColumns(['number', 'client', 'terms', 'issueDate', 'amount'])).toEqual([])
  })
})

describe('the choices for a header', () => {
  const table = findTable(rowsOf([header, ...data]))
  const storage = (entries: Readonly<Record<string, string>> = {}) => {
    const texts = new Map(Object.entries(entries))
    return {
      texts,
      read: (key: string) => texts.get(key) ?? null,
      write: (key: string, text: string) => void texts.set(key, text),
    }
  }
  const chosen: Choices = {
    mapping: ['number', 'client', 'dueDate', null, 'amount'],
    dayOrders: { dueDate: 'day-first' },
    decimalSigns: { amount: 'comma' },
  }

  it('are remembered for the next file with it', () => {
    const kept = storage()
    rememberChoices(kept, table, chosen)
    const renamed = findTable(
      rowsOf([['x'], header.map((name) => ` ${name.toUpperCase()}.`), ...data]),
    )
    expect(rememberedChoices(kept, renamed)).toEqual(chosen)
    const other = findTable(rowsOf([[...header].reverse(), ...data]))
    expect(rememberedChoices(kept, other)).toEqual(proposedChoices(other))
  })

  it('have a key that never changes', () => {
    expect(choicesKey(table)).toBe('25877a24-069c-5fad-b527-3389a4066bed')
  })

  it.each([
    ['no JSON', '{'],
    ['another form', '{"mapping":[1]}'],
    [
      'an unknown target',
      JSON.stringify({ ...chosen, mapping: ['number', 'x', null, null, null] }),
    ],
    ['fewer columns', JSON.stringify({ ...chosen, mapping: ['number'] })],
    [
      'a target twice',
      JSON.stringify({ ...chosen, mapping: ['number', 'number', null, null, null] }),
    ],
  ])('are proposed again if %s is stored', (_, text) => {
    expect(rememberedChoices(storage({ [choicesKey(table)]: text }), table)).toEqual(
      proposedChoices(table),
    )
  })
})
