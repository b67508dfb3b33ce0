import { partsOfTemplate } from '#contracts/receivables/template-language'
import type { TemplateValues } from './values.ts'

/** The template with its values. At the start of a sentence, a value starts with a capital. */
export function fillTemplate(template: string, values: TemplateValues): string {
  return partsOfTemplate(template).reduce((filled, part) => {
    if (part.type === 'words') return filled + part.text
    const value = values[part.name]
    return filled + (startsSentence(filled) && part.name !== 'link' ? withCapital(value) : value)
  }, '')
}

function startsSentence(before: string): boolean {
  return /(^|\n|[.!?]\s)\s*$/.test(before)
}

function withCapital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
