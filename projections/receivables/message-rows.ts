import { z } from 'zod'
import { dateColumn } from '#services/foundation/columns'

/** A day of the client, `yyyy-mm-dd`. */
const day = z.string()

const step = z.object({
  receivableId: z.string(),
  stepId: z.string(),
  repetition: z.int(),
  offset: z.int(),
  channel: z.string(),
  tone: z.string(),
  dueDay: day,
})
/** A delay or a reason to skip, as its event has it. */
const asRecorded = z.looseObject({ kind: z.string() })

export const messageRow = z.object({
  message_id: z.string(),
  merchant_id: z.string(),
  client_id: z.string(),
  day,
  /** schedule, by-hand */
  cause: z.string(),
  channel: z.string(),
  tone: z.string(),
  /** due, sent, not-sent, unknown, returned */
  state: z.string(),
  /** Of a message that was not sent. */
  why: z.string().nullable(),
  due_at: dateColumn,
  ended_at: dateColumn.nullable(),
  receivable_ids: z.array(z.string()),
  steps: z.array(step.extend({ delays: z.array(asRecorded) })),
  replaced: z.array(step),
  needs_you: z.boolean(),
})
export type MessageRow = Readonly<z.infer<typeof messageRow>>

export const stepRow = z.object({
  receivable_id: z.string(),
  step_id: z.string(),
  repetition: z.int(),
  merchant_id: z.string(),
  client_id: z.string(),
  offset_days: z.int(),
  channel: z.string(),
  tone: z.string(),
  due_day: day,
  /** sent, skipped, replaced */
  outcome: z.string(),
  day,
  message_id: z.string().nullable(),
  delays: z.array(asRecorded),
  skip: asRecorded.nullable(),
  ended_at: dateColumn,
})
export type StepRow = Readonly<z.infer<typeof stepRow>>
