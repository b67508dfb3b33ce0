import type { Font } from 'fontkit'
import type PDFDocument from 'pdfkit'

/** The part of PDFKit's font of a document that its types do not declare. */
interface EmbeddedFont {
  readonly scale: number
  layoutRun(
    this: Pick<EmbeddedFont, 'scale'> & { font: Font },
    text: string,
    features: object,
  ): object
}

/**
 * Lays out each text of the document's current font once, with a font that all documents share.
 * PDFKit would read the font's tables again for each document, and lay out a text three times to
 * write it: this was more than half of the time of a receipt. All texts of a font must have the
 * same features.
 */
export function layOutOnce(doc: InstanceType<typeof PDFDocument>, font: Font): void {
  const embedded: unknown = Reflect.get(doc, '_font')
  // Another release of PDFKit may have another font. The receipt is right without this, but slow.
  if (!isEmbeddedFont(embedded)) return
  const { scale, layoutRun } = embedded
  const runs = new Map<string, object>()
  embedded.layoutRun = (text, features) => {
    const run = runs.get(text) ?? layoutRun.call({ font, scale }, text, features)
    runs.set(text, run)
    return run
  }
}

function isEmbeddedFont(font: unknown): font is EmbeddedFont {
  return (
    typeof font === 'object' &&
    font !== null &&
    'scale' in font &&
    typeof font.scale === 'number' &&
    'layoutRun' in font &&
    typeof font.layoutRun === 'function'
  )
}
