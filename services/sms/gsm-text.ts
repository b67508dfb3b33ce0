/*
 * The GSM 7-bit alphabet of texts (3GPP TS 23.038). One character outside it changes the whole text
 * to UCS-2, of which a segment has 70 characters instead of 160.
 */

const basic = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)
/** Each is sent as two characters. */
const extended = new Set('\f^{}\\[~]|€')

/** Characters whose plain form is not their decomposition. */
const plain: Readonly<Record<string, string>> = {
  '\u00a0': ' ',
  '\u202f': ' ',
  '\u2018': "'",
  '\u2019': "'",
  '\u201c': '"',
  '\u201d': '"',
  '\u2013': '-',
  '\u2014': '-',
  '\u2212': '-',
  '\u2026': '...',
  Ł: 'L',
  ł: 'l',
  Đ: 'D',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  Œ: 'OE',
  œ: 'oe',
  ı: 'i',
}

/** The text in the alphabet: without accents that it lacks, and `?` for any other character. */
export function toGsm(text: string): string {
  return [...text]
    .map((character) =>
      isGsm(character) ? character : (plain[character] ?? withoutAccents(character)),
    )
    .join('')
}

function withoutAccents(character: string): string {
  const letters = [...character.normalize('NFKD')].filter(isGsm).join('')
  return letters === '' ? '?' : letters
}

/** Whether the text is one of the alphabet. */
export function isGsmText(text: string): boolean {
  return [...text].every(isGsm)
}

function isGsm(character: string): boolean {
  return basic.has(character) || extended.has(character)
}

/** The length of a text of the alphabet in 7-bit characters. */
export function gsmLength(text: string): number {
  return [...text].reduce((sum, character) => sum + (extended.has(character) ? 2 : 1), 0)
}
