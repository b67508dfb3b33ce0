import type PDFDocument from 'pdfkit'
import { fontFile, runsOf, type Weight } from './fonts.ts'

interface TextStyle {
  readonly size: number
  readonly weight?: Weight
  readonly color?: string
}

/** Writes lines of text whose characters may need several fonts. All lengths are in points. */
export interface TextWriter {
  widthOf(text: string, style: TextStyle): number
  /** Writes one line. `x` is the left edge, or the right edge if `align` is `right`. */
  line(text: string, at: { x: number; y: number; align?: 'left' | 'right' }, style: TextStyle): void
  /** Breaks a text into lines of at most `width`. A word that is too long is cut. */
  wrap(text: string, width: number, style: TextStyle): readonly string[]
}

/**
 * With figures of equal width, so that amounts align. Without ccmp, which draws 'ị' as two glyphs:
 * a reader that copies text from the PDF would receive the second glyph as a control character. At
 * run time fontkit accepts an object, too, which the types of pdfkit do not declare.
 */
const features = { tnum: true, ccmp: false } as unknown as PDFKit.Mixins.OpenTypeFeatures[]

export function createTextWriter(doc: InstanceType<typeof PDFDocument>): TextWriter {
  const registered = new Set<string>()

  function select(font: string): void {
    if (!registered.has(font)) doc.registerFont(font, fontFile(font).data)
    registered.add(font)
    doc.font(font)
  }

  function widthOf(text: string, { size, weight = 'text' }: TextStyle): number {
    doc.fontSize(size)
    return runsOf(text, weight).reduce((sum, run) => {
      select(run.font)
      return sum + doc.widthOfString(run.text, { features })
    }, 0)
  }

  function wrap(text: string, width: number, style: TextStyle): readonly string[] {
    const lines: string[] = []
    let line = ''
    for (const word of text.split(/\s+/).flatMap((each) => cut(each, width, style))) {
      const longer = line === '' ? word : `${line} ${word}`
      if (line !== '' && widthOf(longer, style) > width) {
        lines.push(line)
        line = word
      } else line = longer
    }
    return [...lines, line]
  }

  function cut(word: string, width: number, style: TextStyle): string[] {
    if (widthOf(word, style) <= width) return [word]
    const parts: string[] = []
    let part = ''
    for (const character of word) {
      if (part !== '' && widthOf(part + character, style) > width) {
        parts.push(part)
        part = ''
      }
      part += character
    }
    return [...parts, part]
  }

  return {
    widthOf,
    wrap,
    line(text, { x, y, align = 'left' }, style) {
      const { size, weight = 'text', color = '#06262C' } = style
      let left = align === 'right' ? x - widthOf(text, style) : x
      doc.fontSize(size).fillColor(color)
      // Fonts differ in height: all runs of a line have the baseline of the first font.
      const baseline = y + size
      for (const run of runsOf(text, weight)) {
        select(run.font)
        doc.text(run.text, left, baseline, {
          lineBreak: false,
          baseline: 'alphabetic',
          features,
        })
        left += doc.widthOfString(run.text, { features })
      }
    },
  }
}
