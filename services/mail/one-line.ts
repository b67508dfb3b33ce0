const longestSubject = 150

/**
 * A subject or a name of a sender is a header: names in it can have line breaks, control characters
 * and any length. A word joiner keeps programs from decoding an encoded word (RFC 2047) that a
 * person typed.
 */
export function oneLine(text: string): string {
  const line = text
    .replaceAll(/[\s\p{Cc}\p{Cs}]+/gu, ' ')
    .replaceAll('=?', '=\u2060?')
    .trim()
  return line.length > longestSubject ? `${line.slice(0, longestSubject - 1)}…` : line
}
