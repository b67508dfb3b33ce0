import { brand } from '#contracts/brand/brand'
import { receiptText, type ReceiptText } from '#contracts/receipt-text'
import type { Receipt } from '#contracts/receipts'
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

const { accent } = brand.light

/** The countries that use paper of the size US Letter; the others use A4. */
const letterCountries = new Set(['US', 'CA', 'MX'])

/**
 * The PDF of a receipt. The same receipt gives the same bytes: the file is dated by the payment.
 * The paper is US Letter for customers of North America and for an unknown country, else A4.
 */
export async function renderReceipt(receipt: Receipt): Promise<Buffer> {
  const text = receiptText(receipt)
  await loadFontsFor(
    [...text.from, ...text.billedTo, ...text.lines.map((line) => line.description)].join(' '),
  )
  const { country } = receipt.billed_to
  const { doc, bytes } = createPdfDocument({
    size: country === null || letterCountries.has(country.toUpperCase()) ? 'LETTER' : 'A4',
    title: [text.title, receipt.invoice_number].filter(Boolean).join(' '),
    author: receipt.seller.name,
    at: new Date(receipt.issued_at),
  })
  drawReceipt(doc, text, receipt.seller.name)
  doc.end()
  return bytes
}

function drawReceipt(doc: PdfDocument, text: ReceiptText, seller: string): void {
  const write = createTextWriter(doc)
  const right = doc.page.width - margin
  let y = margin
  drawLogo(doc, margin, y - 2)
  write.line(seller, { x: margin + 30, y: y + 3 }, { size: 12, weight: 'strong' })
  y += 52
  write.line(text.title, { x: margin, y }, { size: 24, weight: 'strong' })
  y += 36
  write.line(text.summary, { x: margin, y }, { size: 12, color: quiet })
  y = drawParties(write, text, { x: margin, right, y: y + 40 })
  y = drawLines(doc, write, text, { right, y: y + 24 })
  drawSums(doc, write, text, { right, y: y + 14 })
}

/** The mark of web/ui/logo.tsx, 26 points wide. */
function drawLogo(doc: PdfDocument, x: number, y: number): void {
  doc
    .save()
    .translate(x, y)
    .scale(24 / 26)
  doc.lineWidth(2.6).lineCap('square').strokeColor(ink)
  doc.path('M13 6.5 5.2 23M13 6.5 20.8 23').stroke()
  doc.lineWidth(2).lineCap('butt').path('M6.2 16.6c4.3 2.5 9.3 2.5 13.6 0').stroke()
  doc.circle(13, 4.6, 3.6).fill(accent)
  doc.restore()
}

/** Beside a field with a character that no font has. */
const missingNote =
  'This file cannot draw every character of these lines. The page of the receipt shows them in full.'

/** Facts, seller and customer in three columns. Returns the lower edge. */
function drawParties(
  write: TextWriter,
  { descriptions, from, billedTo }: ReceiptText,
  { x, right, y }: { x: number; right: number; y: number },
): number {
  const gap = 20
  const shares = [0.29, 0.32, 0.39]
  const room = right - x - 2 * gap
  const columns = [
    descriptions.flatMap(({ term, value }) => [
      { text: term, isTerm: true },
      { text: value, isTerm: false },
    ]),
    [{ text: 'From', isTerm: true }, ...from.map((line) => ({ text: line, isTerm: false }))],
    [
      { text: 'Billed to', isTerm: true },
      ...billedTo.map((line) => ({ text: line, isTerm: false })),
      ...(billedTo.some(hasMissing) ? [{ text: missingNote, isTerm: true }] : []),
    ],
  ]
  const bottoms = columns.map((column, index) => {
    const width = room * (shares[index] ?? 0)
    const before = shares.slice(0, index).reduce((sum, share) => sum + share, 0)
    const left = x + room * before + index * gap
    let at = y
    column.forEach(({ text, isTerm }, place) => {
      const style = isTerm ? { size: 8.5, color: quiet } : { size: 10 }
      if (isTerm && place > 0) at += 6
      for (const line of write.wrap(text, width, style)) {
        write.line(line, { x: left, y: at }, style)
        at += isTerm ? 13 : 15
      }
    })
    return at
  })
  return Math.max(...bottoms)
}

/** The table of the invoice's lines. Returns the lower edge. */
function drawLines(
  doc: PdfDocument,
  write: TextWriter,
  { lines, hasQuantities }: ReceiptText,
  { right, y }: { right: number; y: number },
): number {
  const quantityAt = right - 110
  const width = quantityAt - margin - 60
  const head = { size: 8.5, color: quiet }
  const drawHead = (at: number): number => {
    write.line('Description', { x: margin, y: at }, head)
    if (hasQuantities) write.line('Quantity', { x: quantityAt, y: at, align: 'right' }, head)
    write.line('Amount', { x: right, y: at, align: 'right' }, head)
    drawRule(doc, at + 18, right, ink)
    return at + 27
  }
  let at = drawHead(y)
  for (const line of lines) {
    const descriptions = write.wrap(line.description, width, { size: 10 })
    const notes = line.note === '' ? [] : write.wrap(line.note, width, { size: 8.5 })
    at = nextPageIfFull(doc, at, descriptions.length * 15 + notes.length * 13 + 12, drawHead)
    write.line(line.quantity, { x: quantityAt, y: at, align: 'right' }, { size: 10 })
    write.line(line.amount, { x: right, y: at, align: 'right' }, { size: 10 })
    for (const part of descriptions) {
      write.line(part, { x: margin, y: at }, { size: 10 })
      at += 15
    }
    for (const part of notes) {
      write.line(part, { x: margin, y: at }, { size: 8.5, color: quiet })
      at += 13
    }
    drawRule(doc, at + 5, right, rule)
    at += 14
  }
  return at
}

function drawSums(
  doc: PdfDocument,
  write: TextWriter,
  { sums }: ReceiptText,
  { right, y }: { right: number; y: number },
): void {
  let at = nextPageIfFull(doc, y, sums.length * 20 + 12, (top) => top)
  sums.forEach(({ term, value }, index) => {
    const isLast = index === sums.length - 1
    const weight = isLast ? 'strong' : 'text'
    if (isLast) {
      doc
        .moveTo(right - 240, at + 1)
        .lineTo(right, at + 1)
        .lineWidth(1)
        .strokeColor(ink)
        .stroke()
      at += 9
    }
    write.line(term, { x: right - 240, y: at }, { size: isLast ? 11 : 10, weight })
    write.line(value, { x: right, y: at, align: 'right' }, { size: isLast ? 11 : 10, weight })
    at += 20
  })
}
