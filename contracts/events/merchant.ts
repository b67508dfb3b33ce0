import { z } from 'zod'
import { calendarDay } from '../calendar-day.ts'
import { instant } from '../instant.ts'
import { event, mayGrow, personal, type EventsOf } from './define-event.ts'
import { channel, tone, templateTone } from './message-parts.ts'
import { providerRef } from './provider-ref.ts'

/** Stream `merchant-{userId}`: how a customer of the product collects its receivables. */
export const merchantEvents = {
  /** An IANA name. Its days are the days of issue, due date and payment. */
  TimeZoneChosen: event(['merchant'], { timeZone: z.string() }),
  /**
   * A key with which a program adds invoices. `hash` is the SHA-256 of the key in hexadecimal
   * digits, `ending` its last four characters.
   */
  ApiKeyMade: event(['merchant'], {
    keyId: z.string(),
    name: personal(z.string()),
    hash: z.string(),
    ending: z.string(),
  }),
  ApiKeyRevoked: event(['merchant'], { keyId: z.string() }),
  /** The whole schedule of reminders, as it is from now on. */
  ScheduleChanged: event(['merchant'], {
    steps: z.array(
      z.object({
        stepId: z.string(),
        /** Days from the due date. Negative: before it. */
        offset: z.int(),
        channel,
        tone,
        /** When the step got its day. It concerns no receivable that was past that day then. */
        since: instant,
        /** It concerns those receivables, too. */
        includesPast: z.boolean(),
      }),
    ),
    /** The last step is repeated every so many days. Null: it is not. */
    repeatLastEvery: z.int().nullable(),
    /** ISO weekdays: 1 is Monday, 7 is Sunday. */
    sendingDays: z.array(z.int()),
    daysOff: z.array(calendarDay),
    /** `HH:MM` in the zone of the client. */
    sendingTime: z.string(),
    messagesPerWeek: z.int(),
    /** An e-mail thanks for a full payment. */
    thanks: z.boolean(),
  }),
  RemindersTurnedOn: event(['merchant'], {}),
  RemindersTurnedOff: event(['merchant'], {}),
  /** An administrator stops all messages of the merchant. */
  SendingStopped: event(['merchant'], { reason: personal(z.string()) }),
  SendingAllowed: event(['merchant'], {}),
  /** How many clients the merchant may message in a day: in its first week, and later. */
  SendingLimitsSet: event(['merchant'], {
    firstWeek: z.int().positive(),
    later: z.int().positive(),
  }),
  /** The words of the messages of a tone by a channel, or of the thanks. `subject`: of a mail. */
  TemplateChanged: event(['merchant'], {
    tone: templateTone,
    channel,
    subject: personal(z.string()).nullable(),
    body: personal(z.string()),
  }),
  /** The words are the product's again. */
  TemplateRestored: event(['merchant'], { tone: templateTone, channel }),
  /**
   * What the clients see of the merchant, as it is from now on. Null: nothing was chosen, and the
   * company profile counts. `color` is `#RRGGBB`. The logo is a row of `app.logo`.
   */
  BrandChanged: event(['merchant'], {
    color: z.string().nullable(),
    logo: z
      .object({ sha256: z.string(), mediaType: z.string(), width: z.int(), height: z.int() })
      .nullable(),
    senderName: personal(z.string()).nullable(),
    replyTo: personal(z.string()).nullable(),
    postalAddress: z.array(personal(z.string())).nullable(),
  }),
  /** An administrator allows the merchant to send under this name. */
  SenderNameApproved: event(['merchant'], { name: personal(z.string()) }),
  /** An account of the merchant at the payment provider, on which its clients can pay. */
  PaymentAccountCreated: event(['ways-to-pay'], {
    accountRef: providerRef,
    /** The two-letter code. */
    country: z.string(),
  }),
  /** An account that the merchant had disconnected is in use again. */
  PaymentAccountReconnected: event(['ways-to-pay'], { accountRef: providerRef }),
  /**
   * What the provider says of the account. `canCharge`: clients can pay. `canPayOut`: the provider
   * pays out to the merchant's bank. `isSubmitted`: the merchant completed the provider's form.
   */
  PaymentAccountChanged: event(['ways-to-pay'], {
    accountRef: providerRef,
    canCharge: z.boolean(),
    canPayOut: z.boolean(),
    isSubmitted: z.boolean(),
  }),
  /** `provider`: the merchant removed the product's access there, or the account is gone. */
  PaymentAccountDisconnected: event(['ways-to-pay'], {
    accountRef: providerRef,
    why: mayGrow(z.enum(['merchant', 'provider', 'erased'])),
  }),
  /** The page of the merchant's own gateway, with variables in braces. Null: none. */
  GatewayLinkChanged: event(['ways-to-pay'], { link: personal(z.string()).nullable() }),
  /** How clients pay in the merchant's own words. Null: none. */
  PayInstructionsChanged: event(['ways-to-pay'], { text: personal(z.string()).nullable() }),
  /** The account was erased, and all its clients are erased with it. */
  MerchantErased: event(['merchant', 'erasure'], {}),
} as const

export type MerchantEvent = EventsOf<typeof merchantEvents>
