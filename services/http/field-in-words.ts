/** How words of field names are written for people. */
const spellings = new Map([
  ['email', 'e-mail'],
  ['id', 'ID'],
  ['otp', 'code'],
  ['url', 'URL'],
  ['zipcode', 'ZIP code'],
])

/**
 * A field's path for people: `planDetails.totalPrice` is "Plan details, total price", `tags.2` is "Tags, item 3", and the
 * empty path is "The request". A name that is no identifier is quoted.
 */
export function fieldInWords(field: string): string {
  if (field === '') return 'The request'
  const words = field.split('.').map(segmentInWords).join(', ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function segmentInWords(segment: string): string {
  if (/^\d+$/.test(segment)) return `item ${Number(segment) + 1}`
  // Headers keep their own spelling: Idempotency-Key.
  if (/^\w+(-\w+)+$/.test(segment)) return segment
  // No contract has such a name: the caller chose it.
  if (!/^[a-z]\w*$/i.test(segment)) return JSON.stringify(segment)
  return segment
    .split(/_+|(?<=[a-z])(?=[A-Z])/)
    .map((word) => spellings.get(word.toLowerCase()) ?? word.toLowerCase())
    .join(' ')
}
