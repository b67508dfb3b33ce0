import { describe, expect, it } from '@jest/globals'
import { strToU8, zipSync } from 'fflate'
import { FileRefusal } from '../../../../web/features/receivables/import/file/file-refusal.ts'
import { openFile } from '../../../../web/features/receivables/import/file/open-file.ts'
import { readImportFile } from '../../../support/receivables/import-files/read-file.ts'
import { workbookFile, workbookParts } from '../../../support/receivables/import-files/workbook.ts'

/* Files at the limits of an import: 20,000 rows and 64 MB. */

async function rowsOf(bytes: Uint8Array) {
  const file = await openFile(bytes)
  return file.rowsOf(file.proposed)
}

const refusalOf = async (bytes: Uint8Array) => {
  const error = await rowsOf(bytes).catch((caught: unknown) => caught)
  return error instanceof FileRefusal ? error.message : error
}

describe('20,000 rows', () => {
  const row = (index: number) =>
    `PL-${index},Client ${index % 700},${(index % 12) + 1}/${(index % 28) + 1}/2026,"$1,${100 + (index % 900)}.50",,x${index % 700}@postbox.example,(541) 555-0171,OR,Plan`
  const file = (count: number) =>
    strToU8(
      `Report\nInv No,Account,Due Date,Total,Balance,Email,Mobile,St,Memo\n${Array.from({ length: count }, (_, index) => row(index)).join('\n')}\nTotal,,,"$5.00",,,,,\n`,
    )

  it('are checked', async () => {
    const { checked } = await readImportFile(file(20_000))
    if (checked.kind !== 'checked') throw new Error(`The file is ${checked.kind}.`)
    const { rows, refused, leftOut } = checked
    expect([rows.length, refused.length, leftOut.length]).toEqual([20_000, 0, 1])
  })

  it('and one more are refused', async () => {
    await expect(readImportFile(file(20_001))).rejects.toThrow(
      'The file has more than 20,000 rows. Divide it into several files.',
    )
  })
})

describe('a CSV file', () => {
  it('reads 20,000 rows with 200,000 empty rows behind them', async () => {
    const text = `No,Client\n${'1,Alder\n'.repeat(20_000)}${'\n'.repeat(200_000)}`
    expect(await rowsOf(strToU8(text))).toHaveLength(20_001)
  })
})

describe('an XLSX file', () => {
  it('offers the other sheets if one is too large', async () => {
    const rows = Array.from({ length: 21_001 }, (_, index) => [index])
    const file = await openFile(
      workbookFile({
        sheets: [
          { name: 'Log', rows },
          { name: 'Invoices', rows: [['a']] },
        ],
      }),
    )
    expect(file.sheets).toEqual([
      {
        name: 'Log',
        rows: { refusal: 'The file has more than 20,000 rows. Divide it into several files.' },
      },
      { name: 'Invoices', rows: 1 },
    ])
    expect(file.proposed).toBe(1)
  })

  const bomb =
    'The sheets of the workbook have more than 64.0 MB when they are unpacked. Save the sheet with the invoices alone, or as CSV.'
  it('that unpacks to more than 64 MB is refused, also if it states another size', async () => {
    const bytes = zipSync(
      workbookParts({
        sheets: [{ name: 'A', rows: [['a']] }],
        more: { 'xl/worksheets/sheet1.xml': new Uint8Array(65_000_000).fill(32) },
      }),
    )
    expect(await refusalOf(bytes)).toBe(bomb)
    const view = new DataView(bytes.buffer)
    // The size in the local header and in the directory.
    for (let at = 0; at < bytes.length - 4; at += 1)
      if (view.getUint32(at, true) === 65_000_000) view.setUint32(at, 1_000, true)
    expect(await refusalOf(bytes)).toBe(bomb)
  })
})
