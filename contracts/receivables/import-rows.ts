import { z } from 'zod'
import { clientDetails, textConsent } from './client-requests.ts'
import { addInvoiceRequest } from './invoice-requests.ts'
import { largestAmount } from './shared.ts'

/** An invoice of a file, as the browser has read it from a row. The server trusts none of it. */
export const importRow = addInvoiceRequest.extend({
  /** As a spreadsheet numbers it. */
  row: z.int().min(1),
  client: clientDetails,
  /** Null: the file does not say it. All of a new invoice is then open. */
  openAmount: z
    .int()
    .min(0, 'The open amount is negative. Record it as a credit of the client.')
    .max(largestAmount, 'is larger than an invoice can be.')
    .nullable(),
  textConsent: textConsent.nullable(),
})

export type ImportRow = z.infer<typeof importRow>
