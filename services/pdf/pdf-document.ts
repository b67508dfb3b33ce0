import PDFDocument from 'pdfkit'
import { brand } from '#contracts/brand/brand'

/*
 * What all PDF files of the product share. Lengths are in points, 72 to an inch. Colors are those
 * of the brand. The files are printed, so they use only ink, rule and the logo's accent.
 */
export const margin = 56
export const { ink, ink2: quiet } = brand.light
export const rule = '#BCCCCE'

export type PdfDocument = InstanceType<typeof PDFDocument>

/**
 * An empty document and its bytes, which are complete after `doc.end()`. `at` dates the file: the
 * same drawing gives the same bytes. `bufferPages`: pages stay open, for a number of all pages.
 */
export function createPdfDocument({
  size,
  title,
  author,
  at,
  bufferPages = false,
}: {
  readonly size: 'LETTER' | 'A4'
  readonly title: string
  readonly author: string
  readonly at: Date
  readonly bufferPages?: boolean
}): { readonly doc: PdfDocument; readonly bytes: Promise<Buffer> } {
  const doc = new PDFDocument({
    size,
    margin: 0,
    lang: 'en-US',
    bufferPages,
    // A document without text in a standard font does not load one.
    font: undefined as unknown as string,
    info: {
      Title: title,
      Author: author,
      Creator: author,
      Producer: author,
      CreationDate: at,
      ModDate: at,
    },
  })
  return { doc, bytes: collect(doc) }
}

function collect(doc: PdfDocument): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    doc.on('data', (chunk: Buffer) => chunks.push(chunk))
    doc.on('end', () => resolve(Buffer.concat(chunks)))
    doc.on('error', reject)
  })
}

/** A line from the left margin to `right`. */
export function drawRule(doc: PdfDocument, y: number, right: number, color: string): void {
  doc.moveTo(margin, y).lineTo(right, y).lineWidth(0.75).strokeColor(color).stroke()
}

/** The place for `height` points: `y`, or below the head of a new page. */
export function nextPageIfFull(
  doc: PdfDocument,
  y: number,
  height: number,
  drawHead: (top: number) => number,
): number {
  if (y + height <= doc.page.height - margin) return y
  doc.addPage()
  return drawHead(margin)
}
