/** What the person who wrote a text wants. */
export type TextKeyword = 'stop' | 'start' | 'help' | 'other'

/*
 * The words of Twilio's opt-out handling, and those of the United States' rules on revoked consent
 * (47 CFR 64.1200(a)(10)).
 */
const stops = new Set([
  'stop',
  'stopall',
  'unsubscribe',
  'cancel',
  'end',
  'quit',
  'revoke',
  'optout',
])
const starts = new Set(['start', 'unstop', 'yes'])
const helps = new Set(['help', 'info'])

/** A text that begins with one of them stops the texts, whatever follows: "Stop texting me". */
const stopsAtTheBeginning = /^(stop|stopall|unsubscribe|optout)\b/

/**
 * A person who wants no texts must not need the exact word: case, spaces, hyphens and punctuation
 * do not count. START needs the whole text, so that no sentence resumes texts by chance.
 */
export function keywordOf(body: string): TextKeyword {
  const words = body
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s-]/gu, ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim()
  const joined = words.replaceAll(/[\s-]/gu, '')
  if (stops.has(joined)) return 'stop'
  if (starts.has(joined)) return 'start'
  if (helps.has(joined)) return 'help'
  return stopsAtTheBeginning.test(words.replace(/^opt[\s-]out\b/, 'optout')) ? 'stop' : 'other'
}
