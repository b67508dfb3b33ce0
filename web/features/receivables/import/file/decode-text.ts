/** The encodings of a CSV file, as `TextDecoder` names them. */
type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252'

/**
 * The text of a CSV file. The byte order mark decides. Without one, zero bytes show UTF-16, valid
 * UTF-8 is UTF-8, and anything else is Windows-1252, in which Excel saves on Windows.
 */
export function decodeText(bytes: Uint8Array): string {
  const encoding = encodingOf(bytes)
  // The decoder drops the byte order mark.
  return new TextDecoder(encoding).decode(bytes)
}

function encodingOf(bytes: Uint8Array): Encoding {
  const [first, second, third] = bytes
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8'
  return byZeroBytes(bytes) ?? (isUtf8(bytes) ? 'utf-8' : 'windows-1252')
}

/** In UTF-16, Latin letters and separators have a zero byte, all at odd or all at even places. */
function byZeroBytes(bytes: Uint8Array): Encoding | null {
  const sample = bytes.subarray(0, 2_000)
  const zeros = { even: 0, odd: 0 }
  for (const [index, byte] of sample.entries())
    if (byte === 0) zeros[index % 2 === 0 ? 'even' : 'odd'] += 1
  if (zeros.odd > sample.length / 4 && zeros.even === 0) return 'utf-16le'
  if (zeros.even > sample.length / 4 && zeros.odd === 0) return 'utf-16be'
  return null
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    // The decoder throws at the first invalid byte.
    return false
  }
}
