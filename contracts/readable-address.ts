import { mixesLookalikes } from './address-rules.ts'

/**
 * An address with its domain in its own script, as a person wrote it: `dana@bücher.example` for
 * `dana@xn--bcher-kva.example`. A domain that could be taken for another one stays in its ASCII
 * form, as browsers show it (docs/security.md, E-mail addresses). For display alone: no person is
 * identified by this text.
 */
export function readableAddress(address: string): string {
  const at = address.lastIndexOf('@') + 1
  const domain = address.slice(at)
  if (!/(?:^|\.)xn--/.test(domain)) return address
  const labels = domain.split('.').map(decodedLabel)
  if (labels.some((each) => each === null || !isDistinct(each))) return address
  const readable = labels.join('.')
  // Only the canonical spelling: two addresses are never shown as one.
  const isCanonical =
    URL.canParse(`https://${readable}`) && new URL(`https://${readable}`).hostname === domain
  return isCanonical ? address.slice(0, at) + readable : address
}

/** Cyrillic and Greek letters that look like Latin ones. */
const lookalikes = /^[асԁеһіјӏоԛрѕԝхуьνοιαρυκηω\d-]+$/u

function isDistinct(text: string): boolean {
  if (/^[\0-\x7f]*$/.test(text)) return true
  return /^[\p{L}\p{M}\p{Nd}-]+$/u.test(text) && !mixesLookalikes(text) && !lookalikes.test(text)
}

/** Null if the label is no Punycode (RFC 3492). */
function decodedLabel(label: string): string | null {
  if (!label.startsWith('xn--')) return label
  const encoded = label.slice('xn--'.length)
  const hyphen = encoded.lastIndexOf('-')
  const points = Array.from(encoded.slice(0, Math.max(hyphen, 0)), (each) => each.charCodeAt(0))
  let point = 128
  let bias = 72
  let index = 0
  let read = hyphen + 1
  while (read < encoded.length) {
    const before = index
    for (let weight = 1, step = 36; ; step += 36) {
      const digit = parseInt(encoded.charAt(read), 36)
      read += 1
      if (Number.isNaN(digit)) return null
      // Punycode counts letters before digits, parseInt digits before letters.
      const value = digit < 10 ? digit + 26 : digit - 10
      const threshold = Math.min(Math.max(step - bias, 1), 26)
      index += value * weight
      if (value < threshold) break
      weight *= 36 - threshold
    }
    const count = points.length + 1
    bias = adaptedBias(index - before, count, before === 0)
    point += Math.floor(index / count)
    if (point > 0x10ffff) return null
    points.splice(index % count, 0, point)
    index = (index % count) + 1
  }
  return String.fromCodePoint(...points)
}

function adaptedBias(change: number, count: number, isFirst: boolean): number {
  let rest = Math.floor(change / (isFirst ? 700 : 2))
  rest += Math.floor(rest / count)
  let bias = 0
  for (; rest > 455; bias += 36) rest = Math.floor(rest / 35)
  return bias + Math.floor((36 * rest) / (rest + 38))
}
