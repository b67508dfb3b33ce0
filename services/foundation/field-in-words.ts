/** Words of field names that are not written in plain lower case. */
const spellings = new Map([
  ['email', 'e-mail'],
  ['id', 'ID'],
  ['otp', 'code'],
  ['url', 'URL'],
  ['zipcode', 'ZIP code'],
])

/**
 * The path of a field in words: `planDetails.totalPrice` gives "Plan details, total price",
 * `tags.2` gives "Tags, item 3", and the empty path gives "The request". A name that is not an
 * identifier is quoted.
 */
export function fieldInWords(field: string): string {
  if (field === '') return 'The request'
  const words = field.split('.').map(segmentInWords).join(', ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function segmentInWords(segment: string): string {
  if (/^\d+$/.test(segment)) return `item ${Number(segment) + 1}`
  // A header keeps its spelling: Idempotency-Key.
  if (/^[a-z]\w*(-\w+)+$/i.test(segment)) return segment
  // No contract has such a name, so the caller chose the name.
  if (!/^[a-z]\w*$/i.test(segment)) return JSON.stringify(segment)
  return segment
    .split(/_+|(?<=[a-z])(?=[A-Z])/)
    .map((word) => spellings.get(word.toLowerCase()) ?? word.toLowerCase())
    .join(' ')
}
