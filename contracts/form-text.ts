import { z } from 'zod'

/**
 * No name contains control characters or lone surrogates, and PostgreSQL cannot store all of them.
 * Bidirectional overrides and isolates can make a text look like another one.
 */
const isPlainText = (text: string) => !/[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u.test(text)

/** The check that a field has no characters that cannot be shown, for `refine`. */
export const plain = (what: string) =>
  [isPlainText, `${what} contains characters that cannot be shown.`] as const

/**
 * A text without a visible character is empty. Invisible are spaces, format characters, characters
 * that fonts leave out, and the Braille pattern without dots (U+2800). Inside a text, joiners stay:
 * emoji and Persian need them.
 */
export const trimmed = z
  .string()
  .trim()
  .overwrite((text) => (/^[\s\p{Cf}\p{DI}\u2800]*$/u.test(text) ? '' : text))

/** A required field of one line. `what` names the field at the start of a sentence. */
export const filled = (what: string, max: number) =>
  trimmed
    .min(1, `${what} is required.`)
    .max(max, `${what} has ${max} characters at most.`)
    .refine(...plain(what))

/** A field of one line that may be empty. An empty text is undefined. */
export const optional = (what: string, max: number) =>
  trimmed
    .max(max, `${what} has ${max} characters at most.`)
    .refine(...plain(what))
    .optional()
    .transform((text) => text || undefined)

/** A required phone number. */
export const phoneNumber = (what: string) =>
  filled(what, 30).pipe(
    z
      .string()
      .regex(/^[+()\-.\s\d]*\d[+()\-.\s\d]*$/, `${what} has digits, spaces and + ( ) - . only.`),
  )

/** Several lines, each ended by \n. Browsers send \r\n. A tab becomes a space. */
const lines = trimmed.overwrite((text) => text.replace(/\r\n?/g, '\n').replaceAll('\t', ' '))
const isPlainLines = (text: string) => text.split('\n').every(isPlainText)

/** A text of several lines that may be empty. `max` counts characters, line ends included. */
export const paragraphs = (what: string, max: number) =>
  lines
    .max(max, `${what} has ${max.toLocaleString('en-US')} characters at most.`)
    .refine(isPlainLines, `${what} contains characters that cannot be shown.`)
