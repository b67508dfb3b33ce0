import { z } from 'zod'
import { calendarDay } from '../calendar-day.ts'
import { instant } from '../instant.ts'
import { currency } from '../money.ts'
import { nameContracts } from '../name-contracts.ts'
import { listQuery, pageOf } from '../paging.ts'
import { clientCard, credit, timelineEvent } from './invoice.ts'
import { comingMessages } from './messages.ts'
import { openEnum } from '../open-enum.ts'
import { receivablesAccess } from './shared.ts'

/** The sortable columns. The first key is the default: who owes longest. */
const clientSortKeys = ['oldestDue', 'name', 'owes', 'openInvoices'] as const

/** Where a client stopped messages. `provider`: the provider of texts refuses the number. */
const stopWays = ['portal', 'one-click', 'text', 'provider'] as const

/**
 * `owing`: clients with an open invoice. `credit`: clients with a credit. `bounced`: clients with
 * an address that refused messages for good.
 */
export const clientFilters = ['owing', 'overdue', 'credit', 'bounced', 'all'] as const

/**
 * `GET /api/receivables/clients`. `search` is a part of a name, number or e-mail address. `owes`
 * sorts by the amount of the merchant's main currency. Erased clients are listed as `Erased`.
 */
export const clientsQuery = listQuery(clientSortKeys).extend({
  filter: z.enum(clientFilters).default('owing'),
  order: z.enum(['asc', 'desc']).default('asc'),
})
/** `GET /api/receivables/clients/export`: the whole list as CSV. */
export const clientsExportQuery = clientsQuery.omit({ page: true, pageSize: true })

/** Of one currency. */
const balance = z.object({
  currency,
  open: z.int(),
  overdue: z.int(),
  /** What is left of the credits. */
  credit: z.int().min(0),
})

const listedClient = z.object({
  clientId: z.string(),
  name: z.string(),
  number: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  /** Currencies without an open invoice and without a credit are left out. */
  balances: z.array(balance),
  openInvoices: z.int().min(0),
  /** The oldest due date of an open invoice. Null if none is open. */
  oldestDue: calendarDay.nullable(),
  daysOverdue: z.int().nullable(),
  isOnHold: z.boolean(),
  /** An address refused messages for good. */
  hasBounced: z.boolean(),
  isErased: z.boolean(),
})

export const clientsPage = pageOf(listedClient).extend({
  counts: z.record(z.enum(clientFilters), z.int().min(0)),
  today: calendarDay,
})

/** `GET /api/receivables/clients/:clientId`. */
export const clientResponse = z.object({
  access: receivablesAccess,
  today: calendarDay,
  timeZone: z.string(),
  /** Send it with the act `change`. */
  version: z.int().min(0),
  client: clientCard.extend({ number: z.string().nullable(), addedAt: instant }),
  /** Null without the client's consent to texts. */
  textConsent: z.object({ source: z.string(), date: calendarDay }).nullable(),
  hold: z
    .object({ reason: z.string(), until: calendarDay.nullable(), isOver: z.boolean() })
    .nullable(),
  /** The page that the client opens without a password. Null of an erased client. */
  portal: z
    .object({
      url: z.url(),
      /** Send it with the act `revoke-portal-link`. */
      generation: z.int().min(0),
      /** When a person opened it last. Null: never. */
      openedAt: instant.nullable(),
    })
    .nullable(),
  /** Addresses that refused messages for good. A changed address is another one. */
  bounced: z.object({ mail: z.boolean(), text: z.boolean() }),
  /**
   * What keeps messages from the client. Null: nothing. Only the client ends it: in its portal, or
   * with START from its phone.
   */
  stops: z.object({
    mail: openEnum(stopWays).nullable(),
    text: openEnum(stopWays).nullable(),
  }),
  balances: z.array(balance),
  openInvoices: z.int().min(0),
  invoices: z.int().min(0),
  oldestDue: calendarDay.nullable(),
  /** Credits with something left. */
  credits: z.array(credit),
  /** The latest 200 events of the client and its invoices, newest first. */
  timeline: z.array(timelineEvent),
  timelineIsWhole: z.boolean(),
  coming: comingMessages,
})

export type ClientsPage = z.infer<typeof clientsPage>
export type ClientResponse = z.infer<typeof clientResponse>

export type ClientFilter = (typeof clientFilters)[number]
export type ClientSortKey = (typeof clientSortKeys)[number]
export type ClientsQuery = z.infer<typeof clientsQuery>

nameContracts({
  ReceivablesClient: listedClient,
  ReceivablesClientsPage: clientsPage,
  ReceivablesClientDetails: clientResponse,
  ReceivablesBalance: balance,
})
