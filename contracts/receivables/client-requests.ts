import { z } from 'zod'
import { emailAddress } from '../email-address.ts'
import { filled, phoneNumber, plain, trimmed } from '../form-text.ts'
import { nameContracts } from '../name-contracts.ts'
import { usStates } from '../profile-options.ts'
import { holdAct, moneyMethods, optionalNote } from './invoice-requests.ts'
import { requestedAmount, requestedDay } from './shared.ts'

/*
 * What a merchant does with clients. Send each press of a button with an Idempotency-Key of its
 * own, as with invoices.
 */

/** An empty text is null. */
const orNull = <Schema extends z.ZodType<string, string>>(schema: Schema) =>
  z
    .string()
    .trim()
    .nullish()
    .transform((text) => text || null)
    .pipe(schema.nullable())

const isState = (name: string) => usStates.some((state) => state === name)
const isTimeZone = (name: string): boolean => {
  try {
    return (
      /^[a-z]/i.test(name) &&
      new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
    )
  } catch {
    // The constructor throws for a name that it does not know.
    return false
  }
}

/** What a form and an import know of a client. */
export const clientDetails = z.object({
  name: filled('Name', 200),
  /** The merchant's number of the client. */
  number: trimmed
    .max(60, 'Client number has 60 characters at most.')
    .refine(...plain('Client number'))
    .nullish()
    .transform((text) => text || null),
  /** One address. */
  email: orNull(emailAddress),
  phone: orNull(phoneNumber('Phone')),
  state: orNull(z.string().refine(isState, 'Choose a state from the list.')),
  timeZone: orNull(
    z.string().max(60).refine(isTimeZone, 'must be a time zone, such as America/New_York.'),
  ),
})

const details = clientDetails.extend({ note: optionalNote('Note') })

/** The client agreed to texts on `date`. `source` says where: a form, a call. */
export const textConsent = z.object({ source: filled('Source', 200), date: requestedDay })

/** `POST /api/receivables/clients`. */
export const addClientRequest = details
export const addClientResponse = z.object({ clientId: z.string() })

/** `POST /api/receivables/clients/:clientId/acts`: one act. */
export const clientAct = z.discriminatedUnion('type', [
  /** `version`: of the details that the form showed. */
  z.object({ type: z.literal('change'), ...details.shape, version: z.int().min(0) }),
  z.object({ type: z.literal('record-text-consent'), ...textConsent.shape }),
  z.object({ type: z.literal('withdraw-text-consent') }),
  holdAct,
  z.object({ type: z.literal('release') }),
  /** `generation`: of the link that the page showed. */
  z.object({ type: z.literal('revoke-portal-link'), generation: z.int().min(0) }),
  /** The merchant paid the credit back to the client. */
  z.object({
    type: z.literal('return-credit'),
    creditId: z.string().min(1).max(100),
    amount: requestedAmount,
    date: requestedDay,
    method: z.enum(moneyMethods),
    note: optionalNote('Note'),
  }),
  /**
   * Destroys the key of the client's personal data, forever. Its invoices and sums stay. `name` is
   * the client's name as the merchant typed it to confirm.
   */
  z.object({ type: z.literal('erase'), name: z.string().max(400) }),
])

export const clientActResponse = z.object({ clientId: z.string(), version: z.int().min(0) })

export type ClientAct = z.infer<typeof clientAct>

nameContracts({
  AddClientRequest: addClientRequest,
  AddClientResponse: addClientResponse,
  ClientAct: clientAct,
  ClientActResponse: clientActResponse,
})
