import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { xlsxText } from '#services/tables/xlsx-text'

/** ST_Xstring as ECMA-376 defines it: each `_xHHHH_` is one UTF-16 code unit. */
function readXstring(written: string): string {
  return written.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
}

/** What XML 1.0 can have, without the carriage return, which a parser turns into a line feed. */
const writable = /^[\t\n\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u
const pieces = ['_', 'x', 'X', '0041', '005F', '000d', '_x0041_', '\0', '\r', '\u001f', '\ud800']
const others = ['\udc00', '\ufffe', '😀', 'a', '\n', '\t', ' ']
const arbitraryText = fc
  .array(fc.oneof(fc.constantFrom(...pieces, ...others), fc.string({ unit: 'binary' })))
  .map((parts) => parts.join(''))

describe('a text of an XLSX file', () => {
  it.each([
    ['_x0041_', '_x005F_x0041_'],
    ['_x000D_', '_x005F_x000D_'],
    ['_x005F_', '_x005F_x005F_'],
    ['_x0041_x0042_', '_x005F_x0041_x005F_x0042_'],
    // The escape of the next character has the underscore that completes the first one.
    ['_x0041\u0001', '_x005F_x0041_x0001_'],
    ['a\r\nb', 'a_x000D_\nb'],
    ['\0', '_x0000_'],
    ['\ud800', '_xD800_'],
    ['snake_case_x1', 'snake_case_x1'],
    ['😀', '😀'],
  ])('is %j as %j', (given, written) => {
    expect(xlsxText(given)).toBe(written)
  })

  it('is read back by the standard, and XML can have it', () => {
    fc.assert(
      fc.property(arbitraryText, (given) => {
        const written = xlsxText(given)
        expect(readXstring(written)).toBe(given)
        expect(written).toMatch(writable)
      }),
      { numRuns: 2_000 },
    )
  })
})
