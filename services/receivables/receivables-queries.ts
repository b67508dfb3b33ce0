import type { Instant } from '#contracts/instant'
import type { ClientResponse, ClientsPage, ClientsQuery } from '#contracts/receivables/clients'
import type { FeesQuery, FeesResponse, PaymentFee } from '#contracts/receivables/fees'
import type { FigureEventsQuery, FigureEventsResponse } from '#contracts/receivables/figure-events'
import type { InvoiceResponse } from '#contracts/receivables/invoice'
import type { InvoicesPage, InvoicesQuery, ListedInvoice } from '#contracts/receivables/invoices'
import type { NoStepLeft, ReceivablesOverview } from '#contracts/receivables/overview'
import type { Paying } from '#contracts/receivables/paying'
import type { StepResults } from '#contracts/receivables/schedule'
import type { StatementResponse } from '#contracts/receivables/statement'
import type { Position } from '#services/event-store/event-store'
import type { Day } from '#services/finance/calendar'
import type { ReadContext } from '#services/http/read-your-writes'
import type { OwingQueries } from './schedule/owing-client.ts'

/** A step of the schedule, as far as it decides whether a step is left for an invoice. */
export interface LeftStep {
  readonly offset: number
  readonly since: Instant
  readonly includesPast: boolean
}

/** The queries of the read model. Each reads what is the merchant's only. */
export interface ReceivablesQueries extends OwingQueries {
  /**
   * Waits until the read model shows the session's own writes.
   * @throws HttpError 503 while the read model is being built
   */
  ready(context: ReadContext): Promise<void>
  /**
   * Waits, 2 s at most, until the read model has folded the events at these positions: for a reader
   * without a session, such as a client.
   */
  shows(positions: readonly Position[]): Promise<void>
  overview(
    merchantId: string,
    request: { readonly asOf: Day; readonly currency: string | undefined },
    today: Day,
    signal: AbortSignal,
  ): Promise<Omit<ReceivablesOverview, 'access' | 'merchant' | 'reminders'>>
  /** The open invoices of which each of these steps ended, or does not concern them. */
  noStepLeft(merchantId: string, steps: readonly LeftStep[], today: Day): Promise<NoStepLeft | null>
  /** `schedule`: its steps, for `query.steps`. Null: one is always left. */
  invoices(
    merchantId: string,
    query: InvoicesQuery & { readonly schedule: readonly LeftStep[] | null },
    today: Day,
    signal: AbortSignal,
  ): Promise<InvoicesPage>
  /** The whole list, in batches. */
  exportedInvoices(
    merchantId: string,
    query: Omit<InvoicesQuery, 'page' | 'pageSize'> & {
      readonly schedule: readonly LeftStep[] | null
    },
    today: Day,
    signal: AbortSignal,
  ): AsyncIterable<readonly ListedInvoice[]>
  /** The whole list, in batches. */
  exportedClients(
    merchantId: string,
    query: Omit<ClientsQuery, 'page' | 'pageSize'>,
    today: Day,
    signal: AbortSignal,
  ): AsyncIterable<ClientsPage['items']>
  fees(merchantId: string, query: FeesQuery, signal: AbortSignal): Promise<FeesResponse>
  /** All payments, in batches. */
  exportedFees(
    merchantId: string,
    query: Pick<FeesQuery, 'month'>,
    signal: AbortSignal,
  ): AsyncIterable<readonly PaymentFee[]>
  statementParts(
    merchantId: string,
    clientId: string,
    days: { readonly from: Day; readonly asOf: Day },
  ): Promise<StatementResponse['parts']>
  figureEvents(
    merchantId: string,
    request: FigureEventsQuery & {
      readonly asOf: Day
      readonly today: Day
      readonly currency: string
    },
    signal: AbortSignal,
  ): Promise<FigureEventsResponse>
  /** How clients pay, or one client. */
  paying(
    merchantId: string,
    request: {
      readonly asOf: Day
      readonly currency: string
      readonly client: string | undefined
    },
    signal: AbortSignal,
  ): Promise<Paying>
  /** The currency of most of the merchant's open invoices. */
  mainCurrency(merchantId: string): Promise<string>
  clients(
    merchantId: string,
    query: ClientsQuery,
    today: Day,
    signal: AbortSignal,
  ): Promise<ClientsPage>
  /** The figures of a client, and the ids of its latest invoices: at most `max`. */
  clientFigures(
    merchantId: string,
    clientId: string,
    today: Day,
    max: number,
  ): Promise<
    Pick<ClientResponse, 'balances' | 'openInvoices' | 'invoices' | 'oldestDue'> & {
      readonly latest: readonly string[]
    }
  >
  openInvoicesOf(
    merchantId: string,
    clientId: string,
    today: Day,
  ): Promise<Pick<InvoiceResponse['client'], 'openInvoices' | 'owes'>>
  stepResults(merchantId: string, since: Day): Promise<StepResults['steps']>
  /** Messages that went out on a day of their client. */
  sentOn(merchantId: string, day: Day): Promise<{ readonly mails: number; readonly texts: number }>
  /** The step of each invoice that ended last. */
  lastEndedSteps(
    merchantId: string,
    receivableIds: readonly string[],
  ): Promise<
    readonly {
      readonly receivableId: string
      readonly channel: string
      readonly tone: string
      readonly outcome: string
      readonly day: string
    }[]
  >
  /** The clients that owe longest, at most `max`. */
  owingContacts(
    merchantId: string,
    max: number,
  ): Promise<
    readonly {
      readonly clientId: string
      readonly clientName: string
      readonly email: string | null
      readonly phone: string | null
      readonly oldestDue: string
      /** By currency, in minor units. */
      readonly open: Readonly<Record<string, number>>
    }[]
  >
}
