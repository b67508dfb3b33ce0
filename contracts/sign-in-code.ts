/** How many digits a sign-in code has. */
export const codeLength = 6

/**
 * The text with ASCII digits in place of those of other widths and scripts, and without invisible
 * characters: a Japanese or Arabic keyboard types other digits, and a copied text brings both.
 */
function withPlainDigits(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .replace(/\p{Nd}/gu, digitOf)
}

/** Each script has its ten digits in a row (Unicode, property Nd). */
function digitOf(character: string): string {
  const point = character.codePointAt(0) ?? 0
  let zero = point
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1
  return String((point - zero) % 10)
}

/** What may stand between the digits of a code: spaces, hyphens and dashes. */
const separators = /[\s\p{Pd}\u2212]+/gu

/** A code as a person typed it: `１２３ 456` and `123-456` are `123456`. */
export function typedCode(text: string): string {
  return withPlainDigits(text).replace(separators, '')
}

/**
 * The code in a text such as a whole mail: its one group of exactly six digits. Spaces and hyphens
 * may be inside the group: `Order 2026: 123 456` has the code 123456. Null if no group has six
 * digits, or if two groups have and differ: a wrong code would use up a try.
 */
export function codeIn(text: string): string | null {
  const plain = withPlainDigits(text)
  const groups = plain.match(/\d+(?:[\s\p{Pd}\u2212]+\d+)*/gu) ?? []
  const joined = groups.map((group) => group.replace(separators, ''))
  return oneCode(plain.match(/\d+/g) ?? []) ?? oneCode(joined)
}

function oneCode(groups: readonly string[]): string | null {
  const codes = new Set(groups.filter((group) => group.length === codeLength))
  return codes.size === 1 ? ([...codes][0] ?? null) : null
}
