import { margin, nextPageIfFull, type PdfDocument } from '#services/pdf/pdf-document'
import type { TextWriter } from '#services/pdf/text-writer'
import { drawTable, drawTitle, renderBranded, right, type Column } from './branded-pdf.ts'
import type { StatementFile } from './statement-files.ts'
import { statementText, type StatementText } from './statement-text.ts'

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

/** The PDF of a statement, dated by its last day. */
export function renderStatement(statement: StatementFile): Promise<Buffer> {
  const text = statementText(statement)
  const rows = text.parts.flatMap(({ open, lines }) => [...open, ...lines])
  const file = {
    merchant: statement.merchant,
    head: text,
    at: statement.asOf,
    written: rows.flatMap(({ cells }) => cells),
    page: 'The page of the statement',
  }
  return renderBranded(file, ({ doc, write, y }) => {
    let at = y
    for (const part of text.parts) at = drawPart(doc, write, part, text.parts.length > 1, at)
  })
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
