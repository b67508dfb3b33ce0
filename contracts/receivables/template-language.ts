/*
 * The language of templates: words, and variables in braces such as {client}. Free of zod, so that
 * the page of the templates checks while a merchant types. The server checks again.
 */

/** What a variable stands for, as the page says it. The order is that of the page. */
export const templateVariables = {
  client: "the client's name",
  company: 'your sender name',
  invoices: 'invoice AD-1187, or several with their numbers',
  is: 'is for one invoice, are for several',
  amount: 'what is open, by currency; in thanks, what was paid',
  'due date': 'Nov 13, 2026, of several the oldest',
  'days late': '12 days late, due today or due in 3 days',
  link: "the address of the client's page",
} as const

export type TemplateVariable = keyof typeof templateVariables

/** `mail` and `text` are the bodies. */
export type TemplateField = 'subject' | 'mail' | 'text'

/** The most characters that may be typed. */
export const longestTemplate: Readonly<Record<TemplateField, number>> = {
  subject: 120,
  mail: 5_000,
  text: 600,
}

/** A mail has a button to the client's page, and a subject has no link. */
export function variablesIn(field: TemplateField): readonly TemplateVariable[] {
  const all = Object.keys(templateVariables) as TemplateVariable[]
  return field === 'text' ? all : all.filter((name) => name !== 'link')
}

/** `line` and `column` begin at 1. A column is a character, not a unit of UTF-16. */
export interface TemplateProblem {
  readonly line: number
  readonly column: number
  readonly sentence: string
}

export type TemplatePart =
  | { readonly type: 'words'; readonly text: string }
  | { readonly type: 'variable'; readonly name: TemplateVariable; readonly typed: string }

/** As a template is checked and stored: lines end with \n, without spaces around the text. */
export function normalTemplate(text: string): string {
  return text.replace(/\r\n?/g, '\n').replaceAll('\t', ' ').trim()
}

/** Words and variables in order. What is no variable is words. Joined, they are the text. */
export function partsOfTemplate(text: string): readonly TemplatePart[] {
  const parts: TemplatePart[] = []
  let end = 0
  for (const { index, 0: typed, 1: inside = '' } of text.matchAll(braces)) {
    const name = variableOf(inside)
    if (name === null) continue
    if (index > end) parts.push({ type: 'words', text: text.slice(end, index) })
    parts.push({ type: 'variable', name, typed })
    end = index + typed.length
  }
  if (end < text.length) parts.push({ type: 'words', text: text.slice(end) })
  return parts
}

/** Why a text cannot be saved, in the order of their places. Expects a normal template. */
export function problemsOfTemplate(text: string, field: TemplateField): readonly TemplateProblem[] {
  const found: { readonly at: number; readonly sentence: string }[] = []
  const add = (at: number, sentence: string) => found.push({ at, sentence })
  if (text === '') add(0, field === 'subject' ? 'Write a subject.' : 'Write a text.')
  const max = longestTemplate[field]
  if (text.length > max)
    add(max, `${inWords[field]} has ${max.toLocaleString('en-US')} characters at most.`)
  for (const { index, 0: character } of text.matchAll(unshowable))
    if (character !== '\n') add(index, 'Here is a character that cannot be shown. Remove it.')
    else if (field === 'subject') add(index, 'A subject has one line. Remove the line break.')
  for (const problem of problemsOfBraces(text, field)) add(problem.at, problem.sentence)
  for (const { at, address } of addressesIn(text)) add(at, addressSentence(address, field))
  if (field === 'text' && text !== '' && !hasLink(text))
    add(text.length, 'A text needs {link}, the address at which the client sees what is owed.')
  return found
    .toSorted((a, b) => a.at - b.at)
    .slice(0, maxProblems)
    .map(({ at, sentence }) => ({ ...placeOf(text, at), sentence }))
}

/** `Line 2, column 5: …` */
export function problemInWords({ line, column, sentence }: TemplateProblem): string {
  return `Line ${line}, column ${column}: ${sentence}`
}

/** Each place is searched from the start of the text. */
const maxProblems = 20

const inWords = { subject: 'A subject', mail: 'An e-mail', text: 'A text' } as const

/** A pair of braces, or a brace without its other half. */
const braces = /\{([^{}\n]*)\}|[{}]/g

/**
 * Control characters, lone surrogates, and the characters by which a text could look like another
 * one: bidirectional overrides and isolates. Right-to-left text needs none of them.
 */
const unshowable = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/gu

function variableOf(inside: string): TemplateVariable | null {
  const name = inside.trim().replace(/\s+/g, ' ').toLowerCase()
  return Object.hasOwn(templateVariables, name) ? (name as TemplateVariable) : null
}

function problemsOfBraces(text: string, field: TemplateField) {
  const known = variablesIn(field)
  const list = known.map((name) => `{${name}}`).join(', ')
  return [...text.matchAll(braces)].flatMap(({ index: at, 0: typed, 1: inside }) => {
    if (inside === undefined)
      return [
        { at, sentence: `A variable has both braces, such as {client}. Here is only ${typed}` },
      ]
    const name = variableOf(inside)
    if (name === null)
      return [{ at, sentence: `There is no variable ${typed}. The variables are ${list}.` }]
    if (known.includes(name)) return []
    return [
      {
        at,
        sentence:
          field === 'subject'
            ? `A subject has no ${typed}. Remove it.`
            : `An e-mail has a button to the client's page, so it needs no ${typed}. Remove it.`,
      },
    ]
  })
}

function hasLink(text: string): boolean {
  return partsOfTemplate(text).some((part) => part.type === 'variable' && part.name === 'link')
}

function addressSentence(address: string, field: TemplateField): string {
  const only = field === 'text' ? 'The only link is {link}.' : 'The only link is the button.'
  return `“${address}” reads as an internet address. ${only} If it is a full stop, put a space after it.`
}

/** `https://…`, and any other scheme. */
const withScheme = /(?<![a-z\d+.-])[a-z][a-z\d+.-]*:\/\/\S+/giu
/** Labels and dots in a row: a domain, an IP address, or a word. */
const dotted = /[\p{L}\p{N}\p{M}_\uff0e.-]+/gu

/**
 * What mail programs and phones make a link of: an address with its scheme, a domain, an IP
 * address. A variable counts as a word: `{client}.com` becomes an address. Invisible characters are
 * left out, because programs ignore them inside an address.
 */
function addressesIn(text: string) {
  const asWords = text.replaceAll(braces, (typed) => 'x'.repeat(typed.length))
  const units: string[] = []
  const places: number[] = []
  for (let at = 0; at < asWords.length; at += 1) {
    if (/\p{Cf}/u.test(asWords.charAt(at))) continue
    units.push(asWords.charAt(at))
    places.push(at)
  }
  const shown = units.join('')
  const found = [
    ...shown.matchAll(withScheme),
    ...[...shown.matchAll(dotted)].filter(([run]) => isDomain(run)),
  ]
  return found.map(({ index, 0: { length } }) => {
    const start = shown.charAt(index - 1) === '@' ? startOfWord(shown, index) : index
    const at = places[start] ?? 0
    return { at, address: text.slice(at, (places[index + length - 1] ?? at) + 1) }
  })
}

/** The last label of a domain has letters only, two at least: `a.m.` and `1.5` have none. */
function isDomain(run: string): boolean {
  const labels = run.split(/[.\uff0e]/)
  return (
    /^\d{1,3}(\.\d{1,3}){3}$/.test(run) ||
    labels.some((label, index) => /^\p{L}[\p{L}\p{M}]+$/u.test(label) && !!labels[index - 1])
  )
}

/** Of the local part of an e-mail address. */
function startOfWord(text: string, end: number): number {
  return text.slice(0, end).search(/\S+$/)
}

function placeOf(text: string, at: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, at).split('\n')
  return { line: before.length, column: [...(before.at(-1) ?? '')].length + 1 }
}
