/**
 * Equal numbers of a client are one invoice: `AD-1187`, `ad-1187` and ` AD-1187 `. Without spaces
 * and characters that no font shows, such as the soft hyphens of a document, in the compatibility
 * form of Unicode, in lower case.
 */
export function normalizedNumber(number: string): string {
  return number
    .normalize('NFKC')
    .replace(/[\s\p{DI}]+/gu, '')
    .toLowerCase()
}
