import type { RecordedEvent } from '#contracts/events/catalogue'
import { upsertRows } from '#projections/engine/upsert-rows'
import { DamagedHistory } from '#services/foundation/damaged-history'
import { unreachable } from '#services/foundation/decider'
import type { Queryable } from '#services/foundation/queryable'
import { allRows } from '#services/foundation/rows'
import type { FoldedReminderEvent } from './consumer.ts'
import { messageRow, type MessageRow, type StepRow } from './message-rows.ts'

type Folded = RecordedEvent<FoldedReminderEvent>

/** Folds the messages of a batch. Returns the receivables of which a step ended. */
export async function foldMessages(
  events: readonly Folded[],
  tx: Queryable,
  schema: string,
): Promise<readonly string[]> {
  if (events.length === 0) return []
  const ids = events.flatMap(({ data }) => ('messageId' in data ? [data.messageId] : []))
  const rows = await allRows(
    tx,
    messageRow,
    `SELECT * FROM ${schema}.message WHERE message_id = ANY ($1)
     UNION ALL SELECT * FROM ${schema}.message
     WHERE client_id = ANY ($2) AND needs_you AND message_id <> ALL ($1)`,
    [[...new Set(ids)], [...new Set(events.map(({ data }) => data.clientId))]],
  )
  const before = new Map(rows.map((row) => [row.message_id, row]))
  const messages = new Map(before)
  const steps = new Map<string, StepRow>()
  for (const event of events) {
    const message = foldMessage(messages, event)
    for (const ended of endedSteps(message, event))
      steps.set(`${ended.receivable_id} ${ended.step_id} ${ended.repetition}`, ended)
    if (message === null) continue
    messages.set(message.message_id, message)
    if (event.type === 'MessageSent') settleEarlier(messages, message)
  }
  await upsertRows(
    tx,
    `${schema}.message`,
    'message_id',
    [...messages].filter(([id, row]) => before.get(id) !== row).map(([, row]) => row),
  )
  await upsertRows(tx, `${schema}.reminded_step`, 'receivable_id, step_id, repetition', [
    ...steps.values(),
  ])
  return [...steps.values()].map(({ receivable_id }) => receivable_id)
}

/** A message that arrived says more than an earlier one whose outcome is unknown. */
function settleEarlier(
  messages: Map<string, MessageRow>,
  { message_id, client_id }: MessageRow,
): void {
  for (const [id, each] of messages)
    if (id !== message_id && each.client_id === client_id && each.needs_you)
      messages.set(id, { ...each, needs_you: false })
}

/** The message after an event. Null: the event is about no message. */
function foldMessage(messages: ReadonlyMap<string, MessageRow>, event: Folded): MessageRow | null {
  const at = new Date(event.metadata.occurredAt)
  switch (event.type) {
    case 'MessageDue': {
      const { messageId, merchantId, clientId, day, cause, channel, tone, steps, replaced } =
        event.data
      return {
        message_id: messageId,
        merchant_id: merchantId,
        client_id: clientId,
        day,
        cause,
        channel,
        tone,
        state: 'due',
        why: null,
        due_at: at,
        ended_at: null,
        receivable_ids: [...new Set(steps.map(({ receivableId }) => receivableId))],
        steps,
        replaced,
        needs_you: false,
      }
    }
    case 'MessageSent':
      return { ...known(messages, event), state: 'sent', ended_at: at, needs_you: false }
    case 'MessageNotSent':
      return { ...known(messages, event), state: 'not-sent', why: event.data.why, ended_at: at }
    case 'MessageUnknown':
      return { ...known(messages, event), state: 'unknown', ended_at: at, needs_you: true }
    case 'UnknownMessageSettled':
      return { ...known(messages, event), needs_you: false }
    case 'MessageReturned':
      return { ...known(messages, event), state: 'returned' }
    // The invoice's page reads them in the log: no list needs them.
    case 'ThanksSent':
    case 'ThanksNotSent':
    case 'StepsSkipped':
      return null
    default:
      return unreachable(event)
  }
}

function known(
  messages: ReadonlyMap<string, MessageRow>,
  { stream, data: { messageId } }: Folded & { readonly data: { readonly messageId: string } },
): MessageRow {
  const message = messages.get(messageId)
  if (message !== undefined) return message
  throw new DamagedHistory(
    `The stream ${stream} has no MessageDue before this event. Run 'billing events verify'.`,
  )
}

/** The steps that the event ends. */
function endedSteps(message: MessageRow | null, event: Folded): readonly StepRow[] {
  const ended_at = new Date(event.metadata.occurredAt)
  switch (event.type) {
    case 'StepsSkipped': {
      const { merchantId, clientId, day, steps, why } = event.data
      const of = { merchant_id: merchantId, client_id: clientId, day, ended_at }
      return steps.map((step) =>
        rowOf(step, { ...of, outcome: 'skipped', message_id: null, delays: [], skip: why }),
      )
    }
    case 'MessageSent':
    case 'MessageUnknown': {
      if (message === null) return []
      const { merchant_id, client_id, day, message_id, steps, replaced } = message
      const of = { merchant_id, client_id, day, message_id, ended_at }
      const end =
        event.type === 'MessageSent'
          ? { outcome: 'sent', skip: null }
          : { outcome: 'skipped', skip: { kind: 'unknown' } }
      return [
        ...replaced.map((step) =>
          rowOf(step, { ...of, outcome: 'replaced', delays: [], skip: null }),
        ),
        ...steps.map((step) => rowOf(step, { ...of, ...end, delays: step.delays })),
      ]
    }
    default:
      return []
  }
}

type Step = MessageRow['replaced'][number]
type End = Pick<
  StepRow,
  'merchant_id' | 'client_id' | 'day' | 'ended_at' | 'outcome' | 'message_id' | 'delays' | 'skip'
>

function rowOf(step: Step, end: End): StepRow {
  const { receivableId, stepId, repetition, offset, channel, tone, dueDay } = step
  return {
    receivable_id: receivableId,
    step_id: stepId,
    repetition,
    offset_days: offset,
    channel,
    tone,
    due_day: dueDay,
    ...end,
  }
}
