/**
 * What a client reads instead of the number of an invoice that it paid: the import of the invoice
 * was undone meanwhile, and its share is a credit.
 */
export const withdrawnInvoice = { number: 'Withdrawn invoice', reference: null } as const
