import type { ReportDescription } from './report-columns.ts'

/*
 * The reconciliation report. It is apart from the other reports: it reads the payment provider, and
 * the others read only the log.
 */

export const reconciliationName = 'reconciliation'

export const reconciliationReport = {
  title: 'Reconciliation of the log with the payment provider',
  summary: 'Each difference between the log and the payment provider, with both sides.',
  columns: [
    {
      name: 'object',
      kind: 'text',
      definition: 'payment, refund, credit note, dispute, fee or subscription.',
    },
    {
      name: 'id',
      kind: 'id',
      definition: "The provider's id. A payment has that of its invoice, or else of its charge.",
    },
    {
      name: 'customer',
      kind: 'id',
      definition: "The customer's id at the provider. Of a fee, the merchant's account.",
    },
    {
      name: 'user_id',
      kind: 'id',
      definition: 'The account. Empty if the customer belongs to no account.',
    },
    { name: 'date', kind: 'day', definition: 'The day on which the object came into being.' },
    { name: 'currency', kind: 'currency', definition: 'The ISO 4217 code of the amount.' },
    {
      name: 'amount',
      kind: 'amount',
      definition: 'The amount of the object, by the log if the log has the object.',
    },
    {
      name: 'field',
      kind: 'text',
      definition: 'What differs. existence: one side does not have the object.',
    },
    { name: 'log', kind: 'text', definition: 'What the log has. Amounts are in major units.' },
    {
      name: 'provider',
      kind: 'text',
      definition: 'What the provider has. Amounts are in major units.',
    },
    {
      name: 'log_event_id',
      kind: 'id',
      definition: 'The event that the value of the log is from.',
    },
  ],
} as const satisfies ReportDescription
