import type { CSSProperties } from 'react'

const family = "'Instrument Sans','Helvetica Neue',Helvetica,Arial,sans-serif"

/** Sizes in px: text, and the line that it stands on. No text of a mail is smaller than 14 px. */
const sizes = {
  small: [14, 20],
  text: [15, 23],
  head: [16, 24],
  figure: [52, 60],
  code: [48, 56],
} as const

/**
 * The text settings of a cell. Outlook does not inherit them in nested tables, so each cell with
 * text has its own. A long word breaks instead of widening the mail.
 */
export function type(size: keyof typeof sizes, weight: 400 | 600 | 700 = 400): CSSProperties {
  const [fontSize, lineHeight] = sizes[size]
  return {
    fontFamily: family,
    fontSize,
    lineHeight: `${lineHeight}px`,
    fontWeight: weight,
    fontVariantNumeric: 'tabular-nums',
    wordBreak: 'break-word',
    overflowWrap: 'anywhere',
  }
}
