import type { ComingMessages, ComingStep } from '#contracts/receivables/messages'
import type { Instant } from '#contracts/instant'
import type { Clock } from '#services/foundation/clock'
import type { MessagesOf } from '../messages-of.ts'
import { openOf } from '../receivable-state.ts'
import { forecast, type Forecast } from '../reminders/forecast.ts'
import { localTime } from '../reminders/local-time.ts'
import { planClient } from '../reminders/plan-client.ts'
import type { DueStep, OpenMessage, StepDelay } from '../reminders/reminder-state.ts'
import { limitInWords, reasonOfStep, skipInWords } from '../schedule/reason-words.ts'
import type { KnownClient } from './known-client.ts'
import type { KnownClients } from './known-clients.ts'
import { placesOfOthers, type OthersDueOf } from './places-of-others.ts'
import { stillness, waitInWords } from './stillness.ts'

export interface ComingParts {
  readonly known: KnownClients
  /** The clients of a merchant whose next appointments come first. */
  readonly othersDue: OthersDueOf
  /** The business clock. */
  readonly clock: Clock
}

/** So far the screens look ahead. A schedule's last step is at most a year after the due date. */
const aheadMs = 400 * 86_400_000

/**
 * What goes out next, by the function that sends: it is computed from the same facts of the log, as
 * if nothing else happened.
 */
export function createComingMessages(parts: ComingParts): Pick<MessagesOf, 'coming'> {
  const { known } = parts
  return {
    async coming(merchantId, clientId) {
      const merchant = await known.merchantOf(merchantId)
      const client = await known.clientOf(merchant, clientId)
      const nothing = { stillness: stillness(merchant), messages: [], skips: [], waiting: [] }
      return client === null ? nothing : { ...nothing, ...(await comingOf(client, parts, aheadMs)) }
    },
  }
}

type Coming = Pick<ComingMessages, 'messages' | 'skips' | 'waiting'>

async function comingOf(
  known: KnownClient,
  { clock, othersDue }: Pick<ComingParts, 'clock' | 'othersDue'>,
  ms: number,
): Promise<Coming> {
  const { state, clientId, parts } = known
  const now = clock.now()
  const from = now.toISOString()
  const until = new Date(now.getTime() + ms).toISOString()
  const { merchant, canWait } = await placesOfOthers(known.merchant, clientId, now, othersDue)
  const forecasts = forecast(
    merchant,
    [{ clientId, client: parts.client, receivables: parts.receivables, state }],
    { from, until },
  )
  return {
    messages: [
      ...(state.open === null ? [] : [openMessage(state.open, known, from)]),
      ...forecasts.flatMap((each) => messageOf(each, known, canWait)),
    ],
    skips: forecasts.flatMap(({ at, skips }) =>
      skips.flatMap(({ steps, why }) =>
        shownSteps(known, steps, () => `${skipInWords(why)}.`).map((step) => ({
          ...step,
          day: localTime(parts.client.timeZone).dayOf(at),
        })),
      ),
    ),
    waiting: planClient(parts, state, from).waiting.flatMap((step) =>
      shownSteps(known, [step], () => waitInWords(step.waitsFor)),
    ),
  }
}

/** `canWait`: the merchant has more clients with messages to come than it may message in a day. */
function messageOf(
  { at, message }: Forecast,
  known: KnownClient,
  canWait: boolean,
): ComingMessages['messages'] {
  if (message === null) return []
  // The forecast knows the next message of each other client, and not what follows it.
  const limit = known.merchant.limitOn(localTime(known.merchant.timeZone).dayOf(at))
  const more = canWait ? ` ${limitInWords(limit)}` : ''
  const { day, channel, tone, steps } = message
  return [
    {
      day,
      at,
      channel,
      tone,
      isByHand: false,
      steps: shownSteps(
        known,
        steps,
        (step) => `${reasonOfStep(step, message, known.parts.client)}${more}`,
      ),
    },
  ]
}

/** It is being sent, or what became of it is not known yet. */
function openMessage(
  open: OpenMessage,
  known: KnownClient,
  at: Instant,
): ComingMessages['messages'][number] {
  const { day, channel, tone, steps, isByHand } = open
  return {
    day,
    at,
    channel,
    tone,
    isByHand,
    steps: shownSteps(known, steps, (step) => reasonOfStep(step, open, known.parts.client)),
  }
}

function shownSteps<Step extends DueStep & { readonly delays?: readonly StepDelay[] }>(
  { receivables }: KnownClient,
  steps: readonly Step[],
  reasonOf: (step: Step) => string,
): ComingStep[] {
  return steps.flatMap((step) => {
    const state = receivables.get(step.receivableId)
    if (state === undefined) return []
    const { receivableId, stepId, repetition, offset, channel, tone, dueDay } = step
    return [
      {
        receivableId,
        number: state.number,
        open: openOf(state),
        currency: state.currency,
        stepId,
        repetition,
        offset,
        channel,
        tone,
        dueDay,
        reason: reasonOf(step),
      },
    ]
  })
}
