import { hasMissing, loadFontsFor } from '#services/pdf/fonts'
import {
  createPdfDocument,
  drawRule,
  ink,
  margin,
  nextPageIfFull,
  quiet,
  rule,
  type PdfDocument,
} from '#services/pdf/pdf-document'
import { createTextWriter, type TextWriter } from '#services/pdf/text-writer'
import type { FileMerchant } from './statement-files.ts'

/** A column of a table: from `x` on, or up to `x` if it is aligned right. In points. */
export interface Column {
  readonly head: string
  readonly x: number
  readonly width: number
  readonly align?: 'right'
}

/** The texts of a row of a table, by column. `note` is below the first text. */
export interface Row {
  readonly cells: readonly string[]
  readonly note: string
}

/** The texts above the tables. */
export interface HeadText {
  readonly title: string
  readonly period: string
  readonly summary: readonly string[]
  readonly from: readonly string[]
  readonly to: readonly string[]
}

/** The right edge of the texts. */
export const right = 612 - margin

/** What draws the rest of a file, below its head. `y`: the lower edge of the head. */
export interface Body {
  readonly doc: PdfDocument
  readonly write: TextWriter
  readonly y: number
}

/**
 * A file of a merchant for a client, on US Letter, with the merchant's logo. The same file gives
 * the same bytes: it is dated by `at`, a day. `written`: all texts of the tables. `page`: the page
 * that shows the same.
 */
export async function renderBranded(
  {
    merchant,
    head,
    at,
    written: rows,
    page,
  }: {
    readonly merchant: FileMerchant
    readonly head: HeadText
    readonly at: string
    readonly written: readonly string[]
    readonly page: string
  },
  drawBody: (body: Body) => void,
): Promise<Buffer> {
  const written = [...head.from, ...head.to, ...rows].join(' ')
  await loadFontsFor(written)
  const { doc, bytes } = createPdfDocument({
    size: 'LETTER',
    title: `${head.title} of ${at}`,
    author: merchant.name,
    at: new Date(at),
    bufferPages: true,
  })
  const write = createTextWriter(doc)
  let y = drawHead(doc, write, merchant, head)
  if (hasMissing(written)) {
    const note = `This file cannot draw every character of a name. ${page} shows them in full.`
    write.line(note, { x: margin, y }, { size: 8.5, color: quiet })
    y += 20
  }
  drawBody({ doc, write, y })
  drawPageNumbers(doc, write, `${head.title}, ${head.period}`)
  doc.end()
  return bytes
}

/** Merchant, title, what is open, and both addresses. Returns the lower edge. */
function drawHead(
  doc: PdfDocument,
  write: TextWriter,
  { logo, name }: FileMerchant,
  text: HeadText,
): number {
  let y = margin
  if (logo === null) {
    for (const line of write.wrap(name, right - margin, { size: 14, weight: 'strong' })) {
      write.line(line, { x: margin, y }, { size: 14, weight: 'strong' })
      y += 19
    }
  } else {
    const scale = Math.min(160 / logo.width, 40 / logo.height)
    doc.image(Buffer.from(logo.content), margin, y, {
      width: logo.width * scale,
      height: logo.height * scale,
    })
    y += 40
  }
  y += 24
  write.line(text.title, { x: margin, y }, { size: 24, weight: 'strong' })
  y += 34
  write.line(text.period, { x: margin, y }, { size: 12, color: quiet })
  y += 26
  for (const line of text.summary) {
    write.line(line, { x: margin, y }, { size: 12, weight: 'strong' })
    y += 18
  }
  y += 18
  const half = (right - margin - 20) / 2
  const bottoms = [
    { term: 'From', lines: text.from, x: margin },
    { term: 'To', lines: text.to, x: margin + half + 20 },
  ].map(({ term, lines, x }) => {
    let at = y
    write.line(term, { x, y: at }, { size: 8.5, color: quiet })
    at += 13
    for (const line of lines.flatMap((each) => write.wrap(each, half, { size: 10 }))) {
      write.line(line, { x, y: at }, { size: 10 })
      at += 15
    }
    return at
  })
  return Math.max(...bottoms) + 24
}

/** A title stays with the head and the first row of its table. */
export function drawTitle(doc: PdfDocument, write: TextWriter, title: string, y: number): number {
  const at = nextPageIfFull(doc, y, 80, (top) => top)
  write.line(title, { x: margin, y: at }, { size: 12, weight: 'strong' })
  return at + 24
}

/** Returns the lower edge. */
export function drawTable(
  doc: PdfDocument,
  write: TextWriter,
  columns: readonly Column[],
  rows: readonly Row[],
  y: number,
): number {
  const drawColumns = (top: number): number => {
    for (const { head, x, align = 'left' } of columns)
      write.line(head, { x, y: top, align }, { size: 8.5, color: quiet })
    drawRule(doc, top + 18, right, ink)
    return top + 26
  }
  let at = drawColumns(y)
  for (const { cells, note } of rows) {
    const wrapped = columns.map(({ width }, index) => {
      const lines = write.wrap(cells[index] ?? '', width, { size: 10 })
      return lines
    })
    const height = Math.max(...wrapped.map(({ length }) => length)) * 15 + (note === '' ? 0 : 13)
    at = nextPageIfFull(doc, at, height + 10, drawColumns)
    for (const [index, { x, align = 'left' }] of columns.entries())
      for (const [row, line] of (wrapped[index] ?? []).entries())
        write.line(line, { x, y: at + row * 15, align }, { size: 10 })
    if (note !== '')
      write.line(note, { x: margin, y: at + height - 13 }, { size: 8.5, color: quiet })
    drawRule(doc, at + height + 3, right, rule)
    at += height + 10
  }
  return at
}

function drawPageNumbers(doc: PdfDocument, write: TextWriter, title: string): void {
  const { start, count } = doc.bufferedPageRange()
  for (let page = 0; page < count; page += 1) {
    doc.switchToPage(start + page)
    const y = doc.page.height - margin + 16
    write.line(title, { x: margin, y }, { size: 8.5, color: quiet })
    const place = `Page ${page + 1} of ${count}`
    write.line(place, { x: right, y, align: 'right' }, { size: 8.5, color: quiet })
  }
}
