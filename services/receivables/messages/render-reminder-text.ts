import { isGsmText, toGsm } from '#services/sms/gsm-text'
import { lengthOfText, type TextLength } from '#services/sms/segments'
import { fillTemplate } from './fill-template.ts'
import type { MessageData } from './message-data.ts'
import {
  amountsInWords,
  countOf,
  moneyInWords,
  sumsOf,
  templateValues,
  type TemplateValues,
} from './values.ts'

export interface RenderedText extends TextLength {
  readonly body: string
}

/** What each text ends with, also if the template does not have it. */
const stopWords = 'Reply STOP to end texts.'

/**
 * A text of two segments at most. It starts with the sender and ends with how to stop; both and the
 * link are always there. If the text is too long, the first of these forms that fits is sent:
 *
 * 1. the template with all values in full;
 * 2. the number of invoices for their numbers, and a shorter client's name;
 * 3. a shorter sender, too;
 * 4. fixed words instead of the template.
 *
 * A saved template fits with usual values (`refused-template.ts`), so 4 needs a name in another
 * alphabet, or several amounts.
 */
export function renderReminderText(template: string, data: MessageData): RenderedText {
  const values = valuesOf(data)
  const short = { ...values, ...shortened(data, values) }
  const kind = data.tone === 'thanks' ? 'thanks' : 'reminder'
  const [fixed, fewest] = [fixedWords[kind], fewestWords[kind]]
  const forms = [
    [template, values],
    [template, short],
    [template, { ...short, company: beginning(values.company, 20) }],
    [fixed, short],
    [fixed, { ...short, company: beginning(values.company, 12), amount: inAll(data) }],
    [fewest, { ...short, company: beginning(values.company, 3), amount: inAll(data) }],
  ] as const
  const rendered = forms.map(([words, of]) => textOf(words, of))
  const fitting = rendered.find(({ segments }) => segments <= 2)
  if (fitting !== undefined) return fitting
  throw new Error(
    `A text does not fit two segments, because its link has ${data.portalUrl.length} characters. Set a PUBLIC_URL of 50 characters at most.`,
  )
}

/** The text with all values in full, however long. `unknown`: what the GSM alphabet lacks. */
export function filledText(
  template: string,
  data: MessageData,
): RenderedText & { readonly unknown: string | null } {
  const text = textOf(template, valuesOf(data))
  return { ...text, unknown: [...text.body].find((character) => !isGsmText(character)) ?? null }
}

function valuesOf(data: MessageData): TemplateValues {
  return { ...templateValues(data), amount: amountsInWords(data.receivables, inAlphabet) }
}

const fixedWords = {
  reminder: '{amount} open on {invoices}: {link}',
  thanks: 'Thank you. {amount} paid on {invoices}: {link}',
} as const
const fewestWords = { reminder: '{amount}: {link}', thanks: 'Thank you. {link}' } as const

/** The sender first, then the words, then how to stop. */
function textOf(words: string, values: TemplateValues): RenderedText {
  const body = `${values.company}: ${fillTemplate(words, values)} ${stopWords}`
  const plain = toGsm(body)
  // A character that the alphabet cannot show changes the whole text to UCS-2, and stays.
  const shown = countOfUnknown(plain) > countOfUnknown(body) ? body : plain
  return { body: shown, ...lengthOfText(shown) }
}

function countOfUnknown(text: string): number {
  return text.split('?').length
}

function shortened({ receivables }: MessageData, values: TemplateValues): Partial<TemplateValues> {
  const count = countOf(receivables.length)
  return {
    invoices: count.length < values.invoices.length ? count : values.invoices,
    client: beginning(values.client, 12),
  }
}

/** The sums of several currencies have no room. */
function inAll({ receivables }: MessageData): string {
  const sums = sumsOf(receivables)
  return sums.length === 1 ? amountsInWords(receivables, inAlphabet) : `${sums.length} amounts`
}

/** With the code of the currency if the alphabet lacks its sign: `INR 50.00`. */
function inAlphabet(sum: Parameters<typeof moneyInWords>[0]): string {
  const words = moneyInWords(sum)
  const shown = toGsm(words)
  return shown.includes('?') ? words.replace(/^\D+/, `${sum.currency.toUpperCase()} `) : shown
}

/** At most `max` characters, cut at a character. */
function beginning(text: string, max: number): string {
  const characters = [...text]
  if (characters.length <= max) return text
  return `${characters.slice(0, max).join('').trimEnd()}...`
}
