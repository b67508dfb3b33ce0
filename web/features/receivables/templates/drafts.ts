import type { SaveTemplatesRequest, ShownTemplate } from '#contracts/receivables/templates'
import {
  normalTemplate,
  problemsOfTemplate,
  type TemplateField,
  type TemplateProblem,
} from '#contracts/receivables/template-language'

export type Tone = ShownTemplate['tone']
export type Channel = ShownTemplate['channel']

/** What was typed of a template, and the version that it was typed into. */
export interface Draft {
  readonly subject: string | null
  readonly body: string
  readonly basedOn: number
}

/** By tone and channel. A template that nobody typed into is absent. */
export type Drafts = Readonly<Record<string, Draft>>

const keyOf = ({ tone, channel }: Pick<ShownTemplate, 'tone' | 'channel'>) => `${tone} ${channel}`

/** What the editor shows. */
export function shownDraft(template: ShownTemplate, drafts: Drafts): Draft {
  const { subject, body, version } = template
  return drafts[keyOf(template)] ?? { subject, body, basedOn: version }
}

/** Without those that were typed back. */
export function typed(
  drafts: Drafts,
  template: ShownTemplate,
  change: Partial<Pick<Draft, 'subject' | 'body'>>,
): Drafts {
  const draft = { ...shownDraft(template, drafts), ...change }
  const { [keyOf(template)]: _, ...others } = drafts
  const isSame = draft.subject === template.subject && draft.body === template.body
  return isSame ? others : { ...others, [keyOf(template)]: draft }
}

/** The first problem of a text, in a page that checks while it is typed. */
export function firstProblem(text: string, field: TemplateField): TemplateProblem | null {
  return problemsOfTemplate(normalTemplate(text), field)[0] ?? null
}

/** The template with a problem, so that its tone can be shown. Null: all can be saved. */
export function withProblem(items: readonly ShownTemplate[], drafts: Drafts): ShownTemplate | null {
  return (
    items.find((template) => {
      const draft = drafts[keyOf(template)]
      if (draft === undefined) return false
      return (
        (draft.subject !== null && firstProblem(draft.subject, 'subject') !== null) ||
        firstProblem(draft.body, template.channel) !== null
      )
    }) ?? null
  )
}

export function savedTemplates(
  items: readonly ShownTemplate[],
  drafts: Drafts,
): SaveTemplatesRequest['templates'] {
  return items.flatMap(({ tone, channel }): SaveTemplatesRequest['templates'] => {
    const draft = drafts[keyOf({ tone, channel })]
    if (draft === undefined) return []
    const { body, basedOn: version } = draft
    return channel === 'mail'
      ? [{ tone, channel, subject: draft.subject ?? '', body, version }]
      : [{ tone, channel, body, version }]
  })
}
