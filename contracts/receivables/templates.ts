import { z } from 'zod'
import { filled, paragraphs } from '../form-text.ts'
import { instant } from '../instant.ts'
import { nameContracts } from '../name-contracts.ts'
import { openEnum } from '../open-enum.ts'
import { receivablesAccess } from './shared.ts'
import {
  longestTemplate,
  normalTemplate,
  problemInWords,
  problemsOfTemplate,
  type TemplateField,
} from './template-language.ts'

/*
 * The words of messages to clients. Lines of a template end with \n. A variable is a name in
 * braces, such as {client}; the answer of the list has all names.
 */

/** The reminders by their tone, and the thanks for a payment. */
export const templateTones = ['friendly', 'firm', 'final', 'thanks'] as const
const templateChannels = ['mail', 'text'] as const

const key = { tone: z.enum(templateTones), channel: z.enum(templateChannels) }
/** The one that the form showed. A template that was changed meanwhile is not overwritten. */
const version = z.int().min(0)

/** The first problem, with its line and column. */
const template = (field: TemplateField) =>
  z
    .string()
    .overwrite(normalTemplate)
    .superRefine((text, check) => {
      const [problem] = problemsOfTemplate(text, field)
      if (problem !== undefined)
        check.addIssue({ code: 'custom', message: problemInWords(problem) })
    })
    .meta({ maxLength: longestTemplate[field] })

const words = z.object({
  /** Of a mail. Null for a text. */
  subject: z.string().nullable(),
  body: z.string(),
})

const shownTemplate = words.extend({
  tone: openEnum(templateTones),
  channel: openEnum(templateChannels),
  version,
  /** When the merchant wrote it. Null: it is the original. */
  changedAt: instant.nullable(),
  original: words,
})

/** `GET /api/receivables/templates`: the words of the eight messages. */
export const templatesResponse = z.object({
  access: receivablesAccess,
  items: z.array(shownTemplate),
  variables: z.array(z.object({ name: z.string(), means: z.string() })),
})

const change = z.discriminatedUnion('channel', [
  z.strictObject({
    tone: key.tone,
    channel: z.literal('mail'),
    subject: template('subject'),
    body: template('mail'),
    version,
  }),
  z.strictObject({
    tone: key.tone,
    channel: z.literal('text'),
    body: template('text'),
    version,
  }),
])

/** `POST /api/receivables/templates`: all of them are saved, or none. */
export const saveTemplatesRequest = z.strictObject({
  templates: z.array(change).min(1).max(8),
})
/** `POST /api/receivables/templates/restore`: the original words are sent again. */
export const restoreTemplateRequest = z.strictObject({ ...key, version })
export const saveTemplatesResponse = z.object({ items: z.array(shownTemplate) })

/** A draft that may have problems: the preview shows what would be sent. */
const draft = z.string().max(10_000).overwrite(normalTemplate)

/**
 * `POST /api/receivables/templates/preview`: a message of a tone, about one open
 * invoice; thanks are as if what is open of it was paid today. What the
 * request does not have is as it is saved. Nothing is stored or sent.
 */
export const previewRequest = z.strictObject({
  tone: key.tone,
  subject: draft.optional(),
  mail: draft.optional(),
  text: draft.optional(),
  /** Without one: an invented client with two invoices. */
  receivableId: z.string().max(64).nullish(),
  /** As the page of the brand has it, before it is saved. */
  brand: z
    .strictObject({
      senderName: filled('Sender name', 60).optional(),
      postalAddress: paragraphs('Postal address', 300).optional(),
    })
    .optional(),
})

const fact = z.object({ term: z.string(), value: z.string(), isSum: z.boolean() })
const end = z.object({ label: z.string(), date: z.string() })

export const previewResponse = z.object({
  /** Whether the message is about an invented client. */
  isExample: z.boolean(),
  clientName: z.string(),
  mail: z.object({
    fromName: z.string(),
    subject: z.string(),
    topic: z.string(),
    figures: z.array(z.object({ label: z.string(), value: z.string() })),
    words: z.array(z.string()),
    action: z.string(),
    /** `now`: the place of the needle, from 0 to 1. */
    line: z.object({ start: end, end, now: z.number() }).nullable(),
    facts: z.array(fact),
    foot: z.object({
      reply: z.string(),
      address: z.string(),
      why: z.string(),
      sentFor: z.string(),
      stop: z.string(),
    }),
  }),
  text: z.object({
    /** As it is sent: two segments at most. */
    body: z.string(),
    /** Of the text with all names in full, in characters of its alphabet. */
    units: z.int(),
    mostUnits: z.int(),
    segments: z.int(),
    alphabet: openEnum(['gsm', 'ucs-2']),
    /** Why a text with these words cannot be saved: it is too long. */
    problem: z.string().nullable(),
  }),
})

export type TemplatesResponse = z.infer<typeof templatesResponse>
export type PreviewRequest = z.input<typeof previewRequest>
export type ShownTemplate = z.infer<typeof shownTemplate>
export type SaveTemplatesRequest = z.infer<typeof saveTemplatesRequest>
export type PreviewResponse = z.infer<typeof previewResponse>

nameContracts({
  ReceivablesTemplate: shownTemplate,
  TemplateWords: words,
  MessagePreviewLineEnd: end,
  ReceivablesTemplates: templatesResponse,
  SaveTemplatesRequest: saveTemplatesRequest,
  SaveTemplatesResponse: saveTemplatesResponse,
  RestoreTemplateRequest: restoreTemplateRequest,
  MessagePreviewRequest: previewRequest,
  MessagePreview: previewResponse,
})
