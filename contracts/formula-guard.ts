/*
 * A spreadsheet can run a text that begins with = + - or @ as a formula, so such a text gets an
 * apostrophe. Some programs read the full-width and small forms, and the minus sign U+2212, as the
 * plain characters. Source: OWASP, CSV Injection.
 */

/** What a program can skip before a formula: white space, invisible characters and quotes. */
const skipped = String.raw`["\s\p{Cc}\p{Cf}]*`
const signs = String.raw`[=+\-@\u2212\ufe62\ufe63\ufe66\ufe6b\uff0b\uff0d\uff1d\uff20]`
const begin = skipped + signs
const beginOfText = new RegExp(String.raw`^(?=[\t\r]|${begin})`, 'u')
const beginOfPart = new RegExp(String.raw`(?<=[;\t\n\v\f\r\u0085\u2028\u2029])(?=${begin})`, 'gu')

/** For a cell with the type of a text. */
export function guardedText(text: string): string {
  return text.replace(beginOfText, "'")
}

/**
 * For a CSV file. A program that separates the cells by `;` or tab ignores the quotes of a text in
 * the middle of its cell, so each `;`, tab and line break of the text can begin another cell.
 */
export function guardedParts(text: string): string {
  return guardedText(text.replace(beginOfPart, "'"))
}

/**
 * A text that a CSV file has in quotes, beside those of RFC 4180: programs that accept several
 * separators keep a quoted text in one cell. csv-stringify alone quotes only the line break CR LF.
 */
export const needsQuotes = /[;\t\n\v\f\r\u0085\u2028\u2029]/
