import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { strToU8, zipSync } from 'fflate'
import { FileRefusal } from '../../../../web/features/receivables/import/file/file-refusal.ts'
import { readImportFile } from '../../../support/receivables/import-files/read-file.ts'
import { workbookParts } from '../../../support/receivables/import-files/workbook.ts'

/** The file is read, or refused with a sentence. */
async function isHandled(bytes: Uint8Array): Promise<void> {
  try {
    const { checked } = await readImportFile(bytes)
    if (checked.kind === 'checked')
      for (const { reason } of checked.refused) expect(reason).toMatch(/^.+[.]$/su)
  } catch (error) {
    if (!(error instanceof FileRefusal)) throw error
    expect(error.message).toMatch(/^.+[.]$/su)
  }
}

const parts = workbookParts({
  sheets: [
    {
      name: 'Open',
      merged: ['A2:A3'],
      rows: [
        ['Client', 'No', 'Due', 'Amount'],
        ['Alder', 1, { serial: 46_000 }, 5],
        [null, 'B-2', '12/10/2026', '$1,234.50'],
      ],
    },
  ],
})

it('a workbook with any wrong bytes is read or refused', async () => {
  const packed = zipSync(parts)
  const change = fc.tuple(fc.nat({ max: packed.length - 1 }), fc.nat({ max: 255 }))
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
      const bytes = Uint8Array.from(packed)
      for (const [at, byte] of changes) bytes[at] = byte
      await isHandled(bytes)
    }),
    { numRuns: 300 },
  )
})

it('a workbook with any changes of its XML is read or refused', async () => {
  const piece = fc.constantFrom(
    '<',
    '>',
    '"',
    '1',
    'XFD',
    '<c>',
    '</row>',
    '<row r="7"/>',
    '&#x0;',
    ' ',
    '-1',
    'r="A1"',
    '<f>1</f>',
    '<mergeCell ref="A1:C9"/>',
  )
  const path = fc.constantFrom(...Object.keys(parts))
  await fc.assert(
    fc.asyncProperty(
      path,
      fc.nat(),
      fc.nat({ max: 12 }),
      piece,
      async (changed, at, length, text) => {
        const xml = parts[changed]
        if (!(xml instanceof Uint8Array)) throw new TypeError('A part has no bytes.')
        const start = at % xml.length
        const bytes = [...xml.subarray(0, start), ...strToU8(text), ...xml.subarray(start + length)]
        await isHandled(zipSync({ ...parts, [changed]: Uint8Array.from(bytes) }))
      },
    ),
    { numRuns: 500 },
  )
})

it('any text is read as CSV or refused', async () => {
  const cell = fc.constantFrom(
    'No',
    'Client',
    'Due',
    'Total',
    'Balance',
    '1.234',
    '1,234.50',
    '03/04/2026',
    '31.12.26',
    '"',
    '""',
    "'",
    ';',
    ',',
    '\t',
    '\n',
    '\r\n',
    'Total',
    '-',
    '(5',
    '5)',
    '$',
    '€',
    'Net 30',
    '\u202e',
    '=1',
    '__proto__',
  )
  await fc.assert(
    fc.asyncProperty(fc.array(cell, { maxLength: 60 }), async (cells) => {
      await isHandled(strToU8(`No,Client,Due,Total\n${cells.join('')}`))
      await isHandled(strToU8(cells.join(',')))
    }),
    { numRuns: 500 },
  )
})

it('any bytes are read or refused', async () => {
  await fc.assert(fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), isHandled))
})
