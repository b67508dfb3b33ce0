import { z } from 'zod'
import { currencyExponent } from '../currency.ts'
import { nameContracts } from '../name-contracts.ts'
import { openEnum } from '../open-enum.ts'
import { clientDetails } from './client-requests.ts'
import { addInvoiceRequest } from './invoice-requests.ts'
import { largestAmount } from './shared.ts'

/*
 * `POST /api/receivables/invoices`, for programs: `Authorization: Bearer <key>`. Amounts are
 * decimal strings such as "1240.00", so that no program rounds them.
 */

/** An invoice of a program has the same rules as a row of a file. */
const decimal = z
  .string('must be a text such as "1240.00".')
  .regex(/^\d{1,12}(\.\d{1,3})?$/, 'must be a decimal number without a sign, such as "1240.00".')

const invoice = addInvoiceRequest
  .extend({
    client: clientDetails.omit({ timeZone: true }),
    amount: decimal,
    /** Left out: all of a new invoice is open, and a known one keeps what is open. */
    openAmount: decimal.nullish(),
  })
  .transform(({ amount, openAmount, ...rest }, context) => ({
    ...rest,
    amount: minorUnits('amount', amount, rest.currency, 1, context),
    openAmount:
      openAmount === null || openAmount === undefined
        ? null
        : minorUnits('openAmount', openAmount, rest.currency, 0, context),
  }))

/** Exact: the digits move, no number is rounded. */
function minorUnits(
  field: string,
  text: string,
  currency: string,
  min: number,
  context: z.RefinementCtx,
): number {
  const exponent = currencyExponent(currency)
  const [whole = '', decimals = ''] = text.split('.')
  const spare = decimals.slice(exponent)
  const minor = Number(whole + decimals.slice(0, exponent).padEnd(exponent, '0'))
  const problem = /[1-9]/.test(spare)
    ? `has more decimals than ${currency.toUpperCase()} has.`
    : minor < min
      ? 'must be more than 0.'
      : minor > largestAmount
        ? 'is larger than an invoice can be.'
        : null
  if (problem === null) return minor
  context.addIssue({ code: 'custom', message: problem, path: [field] })
  return z.NEVER
}

export const programInvoicesRequest = z.object({
  invoices: z
    .array(invoice)
    .min(1, 'must have at least one invoice.')
    .max(500, 'has 500 invoices at most. Send the others in further calls.'),
})

/** In the order of the request. A refused invoice changes nothing, and the others are stored. */
export const programInvoicesResponse = z.object({
  results: z.array(
    z.object({
      number: z.string(),
      outcome: openEnum(['added', 'changed', 'unchanged', 'refused']),
      /** Why it is refused, and what to do. */
      reason: z.string().optional(),
    }),
  ),
})

export type ProgramInvoice = z.infer<typeof invoice>

nameContracts({
  ProgramInvoicesRequest: programInvoicesRequest,
  ProgramInvoicesResponse: programInvoicesResponse,
})
