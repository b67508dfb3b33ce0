import type { Channel, TemplateTone } from '#contracts/events/message-parts'
import type { Instant } from '#contracts/instant'
import type { MerchantEvent } from '#contracts/events/merchant'
import { accepted, refused, type Decision } from '#services/foundation/decider'
import { originalTemplates, type MailTemplate, type Template } from './original-templates.ts'

/** `version` counts the changes: a form of an older version overwrites nothing. */
export interface TemplateState {
  /** Null: the original. */
  readonly own: Template | null
  readonly version: number
}

/** By tone and channel. A template that was never changed is absent. */
export type TemplatesState = ReadonlyMap<string, TemplateState>

export interface TemplateKey {
  readonly tone: TemplateTone
  readonly channel: Channel
}

/** A mail has a subject, and a text has none. */
export type TemplateChange = TemplateKey & Template & { readonly basedOn: number }

export type TemplateCommand =
  /** All of them are saved, or none. Checked by `refusedTemplate`. */
  | {
      readonly type: 'change-templates'
      readonly changes: readonly TemplateChange[]
      readonly at: Instant
    }
  | ({
      readonly type: 'restore-template'
      readonly basedOn: number
      readonly at: Instant
    } & TemplateKey)

type TemplateEvent = Extract<MerchantEvent, { type: 'TemplateChanged' | 'TemplateRestored' }>

export function decideTemplates(
  command: TemplateCommand,
  state: TemplatesState,
): Decision<TemplateEvent, 'changed-meanwhile'> {
  if (command.type === 'restore-template') {
    const { tone, channel, basedOn, at: occurredAt } = command
    const { own, version } = templateStateOf(state, command)
    if (own === null) return accepted()
    if (version !== basedOn) return refused('changed-meanwhile')
    return accepted({ type: 'TemplateRestored', data: { tone, channel }, occurredAt })
  }
  const changes = command.changes.filter(
    (change) => !isSame(currentTemplate(state, change), change),
  )
  if (changes.some((change) => templateStateOf(state, change).version !== change.basedOn))
    return refused('changed-meanwhile')
  return accepted(
    ...changes.map(({ tone, channel, subject, body }) => ({
      type: 'TemplateChanged' as const,
      data: { tone, channel, subject, body },
      occurredAt: command.at,
    })),
  )
}

export function evolveTemplates(state: TemplatesState, event: TemplateEvent): TemplatesState {
  const { version } = templateStateOf(state, event.data)
  const own =
    event.type === 'TemplateRestored'
      ? null
      : { subject: event.data.subject, body: event.data.body }
  return new Map(state).set(keyOf(event.data), { own, version: version + 1 })
}

export function templateStateOf(state: TemplatesState, key: TemplateKey): TemplateState {
  return state.get(keyOf(key)) ?? { own: null, version: 0 }
}

/** What is sent: the merchant's words, or the original. */
export function currentTemplate(state: TemplatesState, key: TemplateKey): Template {
  return templateStateOf(state, key).own ?? originalTemplates[key.tone][key.channel]
}

/** As `currentTemplate`, of an e-mail. */
export function currentMail(state: TemplatesState, tone: TemplateTone): MailTemplate {
  const { subject, body } = currentTemplate(state, { tone, channel: 'mail' })
  return { subject: subject ?? originalTemplates[tone].mail.subject, body }
}

function isSame(a: Template, b: Template): boolean {
  return a.subject === b.subject && a.body === b.body
}

function keyOf({ tone, channel }: TemplateKey): string {
  return `${tone} ${channel}`
}
