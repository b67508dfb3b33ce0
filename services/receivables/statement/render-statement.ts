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
import type { StatementFile } from './statement-files.ts'
import { statementText, type StatementText } from './statement-text.ts'

/** A column of a table: from `x` on, or up to `x` if it is aligned right. In points. */
interface Column {
  readonly head: string
  readonly x: number
  readonly width: number
  readonly align?: 'right'
}

type Rows = StatementText['parts'][number]['lines']

const right = 612 - margin
const amountWidth = 84
const openColumns: readonly Column[] = [
  { head: 'Invoice', x: margin, width: 116 },
  { head: 'Reference', x: margin + 124, width: 112 },
  { head: 'Due', x: margin + 244, width: 84 },
  { head: 'Amount', x: right - amountWidth - 8, width: amountWidth, align: 'right' },
  { head: 'Open', x: right, width: amountWidth, align: 'right' },
]
const lineColumns: readonly Column[] = [
  { head: 'Day', x: margin, width: 72 },
  { head: 'Invoice', x: margin + 80, width: 104 },
  { head: 'What happened', x: margin + 192, width: 132 },
  { head: 'Change', x: right - amountWidth - 8, width: amountWidth, align: 'right' },
  { head: 'Balance', x: right, width: amountWidth, align: 'right' },
]

const missingNote =
  'This file cannot draw every character of a name. The page of the statement shows them in full.'

/**
 * The PDF of a statement, on US Letter. The same statement gives the same bytes: the file is dated
 * by its last day.
 */
export async function renderStatement(statement: StatementFile): Promise<Buffer> {
  const text = statementText(statement)
  const rows = text.parts.flatMap(({ open, lines }) => [...open, ...lines])
  const written = [...text.from, ...text.to, ...rows.flatMap(({ cells }) => cells)].join(' ')
  await loadFontsFor(written)
  const { doc, bytes } = createPdfDocument({
    size: 'LETTER',
    title: `${text.title} of ${statement.asOf}`,
    author: statement.merchant.name,
    at: new Date(statement.asOf),
    bufferPages: true,
  })
  const write = createTextWriter(doc)
  let y = drawHead(doc, write, statement, text)
  if (hasMissing(written)) {
    write.line(missingNote, { x: margin, y }, { size: 8.5, color: quiet })
    y += 20
  }
  for (const part of text.parts) y = drawPart(doc, write, part, text.parts.length > 1, y)
  drawPageNumbers(doc, write, `${text.title}, ${text.period}`)
  doc.end()
  return bytes
}

/** Merchant, title, what is open, and both addresses. Returns the lower edge. */
function drawHead(
  doc: PdfDocument,
  write: TextWriter,
  { merchant: { logo, name } }: StatementFile,
  text: StatementText,
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

/** What is open in one currency, and what led to it. Returns the lower edge. */
function drawPart(
  doc: PdfDocument,
  write: TextWriter,
  { currency, open, openSum, lines }: StatementText['parts'][number],
  isNamed: boolean,
  y: number,
): number {
  const of = isNamed ? ` in ${currency}` : ''
  let at = y
  if (open.length > 0) {
    at = drawTitle(doc, write, `Open invoices${of}`, at)
    at = drawTable(doc, write, openColumns, open, at)
    at = nextPageIfFull(doc, at, 24, (top) => top)
    write.line('Sum', { x: margin, y: at }, { size: 10, weight: 'strong' })
    write.line(openSum, { x: right, y: at, align: 'right' }, { size: 10, weight: 'strong' })
    at += 34
  }
  at = drawTitle(doc, write, `Movements${of}`, at)
  return drawTable(doc, write, lineColumns, lines, at) + 20
}

/** A title stays with the head and the first row of its table. */
function drawTitle(doc: PdfDocument, write: TextWriter, title: string, y: number): number {
  const at = nextPageIfFull(doc, y, 80, (top) => top)
  write.line(title, { x: margin, y: at }, { size: 12, weight: 'strong' })
  return at + 24
}

function drawTable(
  doc: PdfDocument,
  write: TextWriter,
  columns: readonly Column[],
  rows: Rows,
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
