import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import {
  emptyTable,
  rowAt,
  rowsOf,
  withRows,
  type RowTable,
} from '#services/receivables/import/row-table'

const rows = fc.array(fc.tuple(fc.integer({ min: 1, max: 2_000 }), fc.string({ maxLength: 3 })))

describe('the rows of an import', () => {
  it('equal a map after any additions, and earlier tables stay as they are', () => {
    fc.assert(
      fc.property(fc.array(rows), (parts) => {
        const model = new Map<number, string>()
        let table: RowTable<string> = emptyTable
        for (const part of parts) {
          const before = { table, rows: new Map(model) }
          for (const [number, row] of part) model.set(number, row)
          table = withRows(table, part)
          expect(new Map(rowsOf(before.table))).toEqual(before.rows)
          expect(before.table.size).toBe(before.rows.size)
        }
        expect(new Map(rowsOf(table))).toEqual(model)
        expect(table.size).toBe(model.size)
        for (const number of model.keys()) expect(rowAt(table, number)).toBe(model.get(number))
        expect(rowAt(table, 5_000)).toBeUndefined()
      }),
    )
  })
})
