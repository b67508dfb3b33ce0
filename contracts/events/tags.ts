/**
 * What events are about. Each event type has its tags where it is defined, and each consumer
 * declares the tags that concern it (`services/foundation/event-consumer.ts`). So a new event type
 * asks for an answer from each consumer that it may concern. docs/events.md shows the answers.
 */
export const eventTags = {
  person: 'who a customer is, and how they are reached',
  access: 'whether a customer may use the product',
  erasure: 'personal data that was erased',
  address: 'which account has an e-mail address',
  'sign-in': 'codes and sessions of customers',
  customer: 'the customer at the payment provider, and the means of payment',
  checkout: 'a hosted checkout',
  subscription: 'a subscription: its terms, standing, periods and end',
  standing: 'whether a subscription lives',
  money: 'money of customers that is paid, due, given back or taken back',
  payment: 'invoices, and the attempts to collect them',
  refund: 'refunds',
  'credit-note': 'credit notes',
  dispute: 'disputes at the bank of the payer',
  reminder: 'a day on which a customer is reminded',
  message: 'mails and texts',
  enquiry: 'enquiries of visitors',
  administrator: 'who is an administrator, with which role and passkeys',
  'admin-access': 'sign-ins, exports and opened data of administrators',
  approval: 'acts that need a second person',
  books: 'the close of a month',
  control: 'a broken money rule',
  merchant: 'a customer as the owner of clients and receivables',
  'ways-to-pay': 'how the clients of a merchant can pay it',
  client: 'the clients of a merchant',
  receivable: 'the invoices of a merchant',
  'client-message': 'mails and texts to the clients of a merchant',
  import: 'files of invoices that a merchant imports',
  stop: 'whether messages may go to an address',
  movement: 'what changes the balance of a receivable or of a client',
  'client-checkout': 'a checkout of a client in the portal',
  'client-payment': 'payments of clients in the portal, and what went back',
  'platform-fee': "the product's fee on payments of clients",
} as const

export type EventTag = keyof typeof eventTags

export const allTags = Object.keys(eventTags) as readonly EventTag[]
