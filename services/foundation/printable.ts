/**
 * A text for a terminal. An owner of the database can put control characters into a stored name,
 * with which a terminal would hide or invent lines. They become `?`, and so do line breaks.
 */
export function printable(text: string): string {
  return text.replaceAll(/\p{Cc}/gu, '?')
}

/** As `printable`, for a text of several lines: line breaks stay. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n')
}
