import type PDFDocument from 'pdfkit'
import { brand } from '#contracts/brand/brand'
import { fontFile, type Weight } from './fonts.ts'
import { layOutOnce } from './lay-out-once.ts'
import { visualRunsOf } from './visual-order.ts'

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

/** The scripts whose letters change beside others. */
const isComposed = (font: string) => /arabic|hebrew|thai/.test(font)

/**
 * With figures of equal width, so that amounts align. Without ccmp, which draws 'ị' as two glyphs:
 * a reader that copies text from the PDF would receive the second glyph as a control character.
 * Composed scripts need ccmp. At run time fontkit accepts an object, too, which the types of pdfkit
 * do not declare.
 */
function featuresOf(font: string) {
  return { tnum: true, ...(!isComposed(font) && { ccmp: false }) } as unknown as Features
}
type Features = PDFKit.Mixins.OpenTypeFeatures[]

const graphemes = new Intl.Segmenter('en-US', { granularity: 'grapheme' })

export function createTextWriter(doc: InstanceType<typeof PDFDocument>): TextWriter {
  const registered = new Set<string>()

  function select(font: string): void {
    const isNew = !registered.has(font)
    if (isNew) doc.registerFont(font, fontFile(font).data)
    registered.add(font)
    doc.font(font)
    if (isNew) layOutOnce(doc, fontFile(font).font)
  }

  function widthOf(text: string, { size, weight = 'text' }: TextStyle): number {
    doc.fontSize(size)
    return visualRunsOf(text, weight).reduce((sum, run) => {
      select(run.font)
      return sum + doc.widthOfString(run.text, { features: featuresOf(run.font) })
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
    // A letter and its marks stay together.
    for (const { segment } of graphemes.segment(word)) {
      if (part !== '' && widthOf(part + segment, style) > width) {
        parts.push(part)
        part = ''
      }
      part += segment
    }
    return [...parts, part]
  }

  return {
    widthOf,
    wrap,
    line(text, { x, y, align = 'left' }, style) {
      const { size, weight = 'text', color = brand.light.ink } = style
      let left = align === 'right' ? x - widthOf(text, style) : x
      doc.fontSize(size).fillColor(color)
      // Fonts differ in height: all runs of a line have the baseline of the first font.
      const baseline = y + size
      for (const run of visualRunsOf(text, weight)) {
        select(run.font)
        // What a reader copies: the glyphs of a composed script do not name their letters.
        if (isComposed(run.font)) doc.markContent('Span', { actual: run.text })
        doc.text(run.text, left, baseline, {
          lineBreak: false,
          baseline: 'alphabetic',
          features: featuresOf(run.font),
        })
        if (isComposed(run.font)) doc.endMarkedContent()
        left += doc.widthOfString(run.text, { features: featuresOf(run.font) })
      }
    },
  }
}
