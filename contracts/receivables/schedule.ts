import { z } from 'zod'
import { calendarDay } from '../calendar-day.ts'
import { instant } from '../instant.ts'
import { currency } from '../money.ts'
import { nameContracts } from '../name-contracts.ts'
import { openEnum } from '../open-enum.ts'
import { scheduleLimits } from './schedule-rules.ts'
import { forecastDay, receivablesAccess, requestedDay } from './shared.ts'

const channels = ['mail', 'text'] as const
const tones = ['friendly', 'firm', 'final'] as const

const stepOf = <
  Channel extends z.ZodType<(typeof channels)[number]>,
  Tone extends z.ZodType<(typeof tones)[number]>,
>(
  channel: Channel,
  tone: Tone,
) => ({
  /** A UUID. It never changes, so a new step has a new one. */
  stepId: z.uuid(),
  /** Days from the due date. Negative: before it. */
  offset: z.int(),
  channel,
  tone,
  /** A step that gets its day now concerns invoices that are past that day, too. */
  includesPast: z.boolean(),
})

const partsOf = <Steps extends z.ZodType, Days extends z.ZodType>(steps: Steps, days: Days) => ({
  steps,
  /** The last step is repeated every so many days. Null: it is not. */
  repeatLastEvery: z.int().nullable(),
  /** ISO weekdays: 1 is Monday, 7 is Sunday. */
  sendingDays: z.array(z.int().min(1).max(7)).max(7),
  daysOff: days,
  /** `HH:MM` in the zone of the client, from 00:00 to 17:00, each quarter of an hour. */
  sendingTime: z.string().max(5),
  /** Messages to one client in 7 days: 1 to 7. */
  messagesPerWeek: z.int(),
  /** An e-mail thanks for a full payment. */
  thanks: z.boolean(),
})

/** What the rules refuse has a sentence of its own, so the request takes a little more. */
const wantedSchedule = z.object(
  partsOf(
    z.array(z.object(stepOf(z.enum(channels), z.enum(tones)))).max(scheduleLimits.steps * 2),
    z.array(requestedDay).max(scheduleLimits.daysOff * 2),
  ),
)

const shownSchedule = z.object(
  partsOf(
    z.array(z.object({ ...stepOf(openEnum(channels), openEnum(tones)), since: instant })),
    z.array(calendarDay),
  ),
)

/** An administrator stopped all messages of the merchant. */
export const sendingStop = z.object({ reason: z.string(), at: instant })

/** `GET /api/receivables/schedule`: when and how the merchant's clients are reminded. */
export const scheduleResponse = z.object({
  access: receivablesAccess,
  companyName: z.string().nullable(),
  schedule: shownSchedule,
  /** An IANA name. Its days are the days of issue, due date and payment. */
  timeZone: z.string(),
  /** In this zone. */
  today: calendarDay,
  /** Of the schedule and the zone. A change is based on it. */
  version: z.int().min(0),
  /** Null: nothing was saved yet, and the schedule is the default. */
  savedAt: instant.nullable(),
  isOn: z.boolean(),
  /** Since reminders are on or off. Null: they were never on. */
  isOnSince: instant.nullable(),
  /** Null: messages may go out. */
  stopped: sendingStop.nullable(),
  /** The federal holidays of this year and the next one, with the days on which they are kept. */
  holidays: z.array(z.object({ day: calendarDay, name: z.string() })),
})

/**
 * `POST /api/receivables/schedule`: the whole schedule, as it is from then on. A schedule that
 * cannot be followed is refused: 409 with a code of `refusals.ts`.
 */
export const changeScheduleRequest = z.object({
  schedule: wantedSchedule,
  timeZone: z.string().max(64),
  /** The version that the page showed. Another one is refused: `changed-meanwhile`. */
  basedOn: z.int().min(0),
})
export const changeScheduleResponse = z.object({ version: z.int().min(0) })

/** `POST /api/receivables/schedule/turn-on` and `…/turn-off`. */
export const remindersTurnedResponse = z.object({ isOn: z.boolean() })

/** `POST /api/receivables/schedule/preview`: what a draft would send. Nothing is stored. */
export const schedulePreviewRequest = z.object({
  schedule: wantedSchedule,
  timeZone: z.string().max(64),
})

const counted = z.object({ clients: z.int().min(0), invoices: z.int().min(0) })

const previewedInvoice = z.object({
  receivableId: z.string(),
  number: z.string(),
  /** In minor units. */
  open: z.int(),
  currency,
  /** Why it is in the message, and why on that day. */
  reason: z.string(),
})

const previewedMessage = z.object({
  /** Of the client. */
  day: calendarDay,
  clientId: z.string(),
  clientName: z.string(),
  channel: openEnum(channels),
  tone: openEnum(tones),
  /** The saved schedule sends this client nothing on the day. */
  isAdded: z.boolean(),
  invoices: z.array(previewedInvoice),
})

/** If nothing is paid, and reminders are on from now. */
export const schedulePreviewResponse = z.object({
  /** 30 days from today on. */
  days: z.array(
    forecastDay.extend({
      /** Of both. */
      added: z.int().min(0),
    }),
  ),
  /** The first ones, in the order of their days. */
  messages: z.array(previewedMessage),
  goesOut: z.object({ mails: z.int().min(0), texts: z.int().min(0), clients: z.int().min(0) }),
  /** Steps that do not go out, by the reason. */
  skipped: z.array(z.object({ reason: z.string(), steps: z.int().min(1) })),
  /** Messages of the first seven days. */
  firstWeek: z.int().min(0),
  /** Steps that go out although their day passed before reminders were on, or the invoice added. */
  catchUps: z.int().min(0),
  /** Older steps that a later one of their invoice replaces. */
  replaced: z.int().min(0),
  /** The most clients of today. The rest waits for the next day. */
  dailyLimit: z.int().min(0),
  /** The steps with a new day: open invoices that are past that day. */
  past: z.array(z.object({ stepId: z.string(), invoices: z.int().min(0) })),
  /** What it is computed from. Less than `all` for merchants with many clients. */
  computedFrom: counted,
  all: counted,
})

/** `GET /api/receivables/schedule/results`: what the steps brought. */
export const stepResultsResponse = z.object({
  /** The first day that counts: 90 days ago. */
  since: calendarDay,
  /** `paid`: of `sent`, those that a payment of the invoice followed within 3 days. */
  steps: z.array(z.object({ stepId: z.string(), sent: z.int().min(0), paid: z.int().min(0) })),
})

export type StepResults = z.infer<typeof stepResultsResponse>
export type SchedulePreview = z.infer<typeof schedulePreviewResponse>
export type ScheduleResponse = z.infer<typeof scheduleResponse>

nameContracts({
  SendingStop: sendingStop,
  ReceivablesSchedule: scheduleResponse,
  ChangeScheduleRequest: changeScheduleRequest,
  SchedulePreviewRequest: schedulePreviewRequest,
  SchedulePreview: schedulePreviewResponse,
  StepResults: stepResultsResponse,
  PreviewedMessage: previewedMessage,
  PreviewedInvoice: previewedInvoice,
  ClientsAndInvoices: counted,
  WantedSchedule: wantedSchedule,
  ChangeScheduleResponse: changeScheduleResponse,
  RemindersTurnedResponse: remindersTurnedResponse,
})
