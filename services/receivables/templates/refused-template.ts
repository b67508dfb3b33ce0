import {
  problemInWords,
  problemsOfTemplate,
  type TemplateField,
} from '#contracts/receivables/template-language'
import { maxUnits } from '#services/sms/segments'
import type { MessageData } from '../messages/message-data.ts'
import { filledText } from '../messages/render-reminder-text.ts'

/** Why a template is not saved: the first reason, with its place. Null: it can be saved. */
export function refusedTemplate(
  field: TemplateField,
  template: string,
  usual: MessageData,
): string | null {
  const [problem] = problemsOfTemplate(template, field)
  if (problem !== undefined) return problemInWords(problem)
  return field === 'text' ? refusedLength(template, usual) : null
}

/**
 * Why a text is too long: at sending, long names are cut, which does not help if the words alone
 * are too long. Null: with usual values it fits.
 */
export function refusedLength(template: string, usual: MessageData): string | null {
  const { alphabet, units, segments, unknown } = filledText(template, usual)
  if (segments <= 2) return null
  const needs = `With a usual name and amount the text has ${units} characters, and two segments have ${maxUnits(alphabet)}`
  return unknown === null
    ? `${needs}. Shorten it.`
    : `${needs}, because of “${unknown}”, which is not in the alphabet of texts. Remove it, or shorten the text.`
}
