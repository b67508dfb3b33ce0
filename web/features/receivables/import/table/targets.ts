/** What a column of a file can go to. Each target has one column at most. */
export const targets = [
  'number',
  'client',
  'issueDate',
  'dueDate',
  'terms',
  'amount',
  'lineTotal',
  'openAmount',
  'amountPaid',
  'currency',
  'status',
  'email',
  'phone',
  'state',
  'timeZone',
  'clientNumber',
  'reference',
  'url',
  'consentSource',
  'consentDate',
] as const
export type Target = (typeof targets)[number]

/** By column of the table. Null: the column is not imported. */
export type Mapping = readonly (Target | null)[]

export const dateTargets = ['issueDate', 'dueDate', 'consentDate'] as const
export type DateTarget = (typeof dateTargets)[number]
export const amountTargets = ['amount', 'lineTotal', 'openAmount', 'amountPaid'] as const
export type AmountTarget = (typeof amountTargets)[number]

export const targetLabels: Readonly<Record<Target, string>> = {
  number: 'Invoice number',
  client: 'Client',
  issueDate: 'Issue date',
  dueDate: 'Due date',
  terms: 'Terms',
  amount: 'Amount',
  lineTotal: 'Amount of a line',
  openAmount: 'Open amount',
  amountPaid: 'Amount paid',
  currency: 'Currency',
  status: 'Status',
  email: 'E-mail',
  phone: 'Phone',
  state: 'State',
  timeZone: 'Time zone',
  clientNumber: 'Client number',
  reference: 'Reference',
  url: 'Link',
  consentSource: 'Text consent: source',
  consentDate: 'Text consent: date',
}

/** One sentence for each required column that the mapping lacks. */
export function missingColumns(mapping: Mapping): readonly string[] {
  const has = (target: Target) => mapping.includes(target)
  return [
    ...(has('number') ? [] : ['Choose the column with the invoice number.']),
    ...(has('client') ? [] : ['Choose the column with the client.']),
    ...(has('dueDate') || has('terms')
      ? []
      : ['Choose the column with the due date, or the columns with issue date and terms.']),
    ...(has('dueDate') || !has('terms') || has('issueDate')
      ? []
      : ['Terms need an issue date. Choose its column.']),
    ...(has('amount') || has('lineTotal') ? [] : ['Choose the column with the amount.']),
  ]
}
