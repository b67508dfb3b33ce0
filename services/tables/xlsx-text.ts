/*
 * XML cannot have every character, so the texts of an XLSX file have `_x000D_` for U+000D. A text
 * that looks like such an escape has `_x005F_` for its first underscore.
 * Source: ECMA-376, part 1, 22.9.2.19, ST_Xstring.
 */

/** XML has none of these, or reads another character: a carriage return becomes a line feed. */
const unwritable = String.raw`[\u0000-\u0008\u000b-\u001f\p{Surrogate}\ufffe\uffff]`
const escaped = new RegExp(
  `${unwritable}|_(?=x[\\da-f]{4}(?:_|${unwritable}))`,
  // A reader can take `_X0041_` for an escape, too.
  'giu',
)

/** The text as an XLSX file has it. Every reader that follows the standard reads `text`. */
export function xlsxText(text: string): string {
  return text.replace(
    escaped,
    (found) => `_x${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
  )
}
