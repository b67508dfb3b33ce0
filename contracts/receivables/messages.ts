import { z } from 'zod'
import { calendarDay } from '../calendar-day.ts'
import { instant } from '../instant.ts'
import { currency } from '../money.ts'
import { nameContracts } from '../name-contracts.ts'
import { openEnum } from '../open-enum.ts'
import { forecastDay } from './shared.ts'

/* The messages to a merchant's clients: what went out, what comes, and why. */

const channel = openEnum(['mail', 'text'])
const tone = openEnum(['friendly', 'firm', 'final'])

/** A step of the schedule for one invoice, or a repetition of the last one. */
const step = z.object({
  receivableId: z.string(),
  number: z.string(),
  /** What is open now, in minor units. */
  open: z.int(),
  currency,
  stepId: z.string(),
  /** 0 for the step, 1 for its first repetition. */
  repetition: z.int().min(0),
  /** Days from the due date. Negative: before it. */
  offset: z.int(),
  channel,
  tone,
  /** Of the client. */
  dueDay: calendarDay,
  /** Why it goes out then, waits, or does not go out. */
  reason: z.string(),
})

/** One e-mail or text that goes out if nothing else happens. `day` is the client's. */
const comingMessage = z.object({
  day: calendarDay,
  at: instant,
  channel,
  tone,
  /** The merchant sent it before its time, and it is on its way. */
  isByHand: z.boolean(),
  steps: z.array(step),
})

/** What comes for a client. */
export const comingMessages = z.object({
  /** Why nothing goes out at all, such as that reminders are off. Null: messages go out. */
  stillness: z.string().nullable(),
  /** In the order of time. */
  messages: z.array(comingMessage),
  /** Steps that will end without a message. `day`: of the client, on which they end. */
  skips: z.array(step.extend({ day: calendarDay })),
  /** Steps that wait for a payment on its way, or the end of a hold, a promise or a dispute. */
  waiting: z.array(step),
})

const ofClient = { clientId: z.string(), clientName: z.string() }
/** An invoice of a message or of a step. `open` is in minor units. */
const aboutInvoice = {
  receivableId: z.string(),
  number: z.string(),
  open: z.int(),
  currency,
  reason: z.string(),
}

/** `GET /api/receivables/next-messages`: of all clients, in the order of time. */
export const nextMessagesResponse = z.object({
  stillness: z.string().nullable(),
  /**
   * The first is the merchant's today. 14 at most: of many clients, the days up to which all
   * messages are computed.
   */
  days: z.array(forecastDay),
  /** The first messages of these days. `day`: of the client. */
  messages: z.array(
    z.object({
      day: calendarDay,
      at: instant,
      ...ofClient,
      channel,
      tone,
      invoices: z.array(z.object(aboutInvoice)),
    }),
  ),
  /** The first steps of these days that end without a message. */
  notSent: z.array(z.object({ day: calendarDay, ...ofClient, channel, tone, ...aboutInvoice })),
  /** Messages that went out on the merchant's today. */
  sentToday: z.object({ mails: z.int().min(0), texts: z.int().min(0) }),
})

/** `GET /api/receivables/next-steps`: of these open invoices, separated by commas: 100 at most. */
export const nextStepsQuery = z.object({ invoices: z.string().min(1).max(7_000) })
const nextStep = z.object({
  receivableId: z.string(),
  /**
   * `message`: it goes out on `day`. `wait`: it waits for a person. `skip`: it ends without a
   * message. `none`: no step is left. `still`: nothing goes out for any client.
   */
  kind: openEnum(['message', 'wait', 'skip', 'none', 'still']),
  /** Of the client. Null unless a message goes out. */
  day: calendarDay.nullable(),
  channel: channel.nullable(),
  /** What it is, or why it does not go out, without a full stop. */
  note: z.string(),
})
export const nextStepsResponse = z.object({ steps: z.array(nextStep) })

const messageStates = ['due', 'sent', 'not-sent', 'unknown', 'returned'] as const

/** `GET /api/receivables/clients/:clientId/messages/:messageId`: a message as the client got it. */
export const messageResponse = z.object({
  messageId: z.string(),
  channel,
  tone,
  state: openEnum(messageStates),
  /** Null of an erased client, as subject and body. */
  to: z.string().nullable(),
  /** When it was sent, or when it was due if it was not sent. */
  at: instant,
  /** Null of a text, and of a message that was not sent. */
  subject: z.string().nullable(),
  /** Null of a message that was not sent. */
  body: z.string().nullable(),
})

const messageId = z
  .string()
  .max(80)
  .regex(/^\w[\w-]*$/)
export const messageParams = z.object({
  clientId: z
    .string()
    .regex(/^\w[\w-]*$/)
    .max(64)
    .meta({ description: 'Begins with client_.' }),
  messageId,
})

/**
 * `POST /api/receivables/clients/:clientId/send-now/preview`: what goes out if the merchant sends
 * now. One of both is null.
 */
export const sendNowPreviewResponse = z.object({
  message: z
    .object({
      /** Names what is shown. A message that became another one meanwhile is not sent. */
      key: z.string(),
      channel,
      tone,
      to: z.string(),
      /** Null of a text. */
      subject: z.string().nullable(),
      body: z.string(),
      invoices: z.array(z.object({ receivableId: z.string(), number: z.string() })),
    })
    .nullable(),
  /** Why nothing can go out now, and what to do. */
  refused: z.string().nullable(),
})

/** `POST /api/receivables/clients/:clientId/send-now`: `key` of the preview. */
export const sendNowRequest = z.object({ key: z.string().min(1).max(200) })
export const sendNowResponse = z.object({ messageId: z.string() })

/** `POST /api/receivables/clients/:clientId/messages/:messageId/settle`: of "Needs you". */
export const settleMessageResponse = z.object({ messageId: z.string() })

/** `POST /api/receivables/invoices/:receivableId/skip-step`: a step of `comingMessages`. */
export const skipStepRequest = z.object({
  stepId: z.uuid(),
  repetition: z.int().min(0).max(10_000),
})
export const skipStepResponse = z.object({ receivableId: z.string() })

export type ComingMessages = z.infer<typeof comingMessages>
export type ComingMessage = z.infer<typeof comingMessage>
export type ComingStep = z.infer<typeof step>
export type NextSteps = z.infer<typeof nextStepsResponse>
export type NextStep = z.infer<typeof nextStep>
export type NextMessages = z.infer<typeof nextMessagesResponse>
export type MessageResponse = z.infer<typeof messageResponse>
export type SendNowPreview = z.infer<typeof sendNowPreviewResponse>

nameContracts({
  ComingMessages: comingMessages,
  ComingMessage: comingMessage,
  ComingStep: step,
  NextMessages: nextMessagesResponse,
  NextSteps: nextStepsResponse,
  NextStep: nextStep,
  ClientMessage: messageResponse,
  SendNowPreview: sendNowPreviewResponse,
})
