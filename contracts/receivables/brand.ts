import { z } from 'zod'
import { emailAddress } from '../email-address.ts'
import { filled, paragraphs } from '../form-text.ts'
import { nameContracts } from '../name-contracts.ts'
import { openEnum } from '../open-enum.ts'
import { parseColor } from './brand-color.ts'
import { receivablesAccess } from './shared.ts'

/* What clients see of a merchant: logo, color, sender name, reply address, postal address. */

/** The largest file of a logo, in bytes. */
export const largestLogo = 512 * 1024

/** `waits`: an administrator has not approved it, and the company name is used. */
const senderNameState = openEnum(['company', 'approved', 'waits'])

const shownLogo = z.object({ url: z.string(), width: z.int(), height: z.int() })

/** `GET /api/receivables/brand`. Null fields: not chosen, and `defaults` count. */
export const brandResponse = z.object({
  access: receivablesAccess,
  /** Send it with the change. */
  version: z.int().min(0),
  /** `#3B4A9B` */
  color: z.string().nullable(),
  logo: shownLogo.nullable(),
  senderName: z.string().nullable(),
  senderNameState,
  replyTo: z.string().nullable(),
  postalAddress: z.array(z.string()).nullable(),
  /** Of the company profile. */
  defaults: z.object({
    senderName: z.string(),
    replyTo: z.string(),
    postalAddress: z.array(z.string()),
  }),
})

/** Four characters of base64 are three bytes. */
const longestContent = Math.ceil(largestLogo / 3) * 4

const newLogo = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('keep') }),
  z.strictObject({ type: z.literal('remove') }),
  z.strictObject({
    type: z.literal('image'),
    content: z
      .base64('must be the file in base64.')
      .max(longestContent, 'The logo has 512 kB at most. Choose a smaller file.'),
  }),
])

const color = z
  .string()
  .max(20)
  .transform((text, check) => {
    const read = parseColor(text)
    if (read !== null) return read
    check.addIssue({ code: 'custom', message: 'A color has six digits, such as #3B4A9B.' })
    return z.NEVER
  })

/**
 * `POST /api/receivables/brand`: the whole brand. A file of a logo is PNG, JPEG or WebP of 512 kB
 * at most; it is decoded and encoded again, without what it says besides the image.
 */
export const changeBrandRequest = z.strictObject({
  version: z.int().min(0),
  color: color.nullable(),
  logo: newLogo,
  senderName: filled('Sender name', 60).nullable(),
  replyTo: emailAddress.nullable(),
  /** One to six lines. */
  postalAddress: paragraphs('Postal address', 300)
    .refine((text) => text.split('\n').length <= 6, 'Postal address has 6 lines at most.')
    .nullable(),
})

export const logoParams = z.object({ sha256: z.string().regex(/^[\da-f]{64}$/) })
/** Such as `3b4a9b.css`. */
export const brandStyleParams = z.object({ file: z.string().regex(/^[\da-f]{6}\.css$/) })

/** `GET /api/admin/users/:userId/sender-name`: the name under which a merchant wants to send. */
export const senderNameResponse = z.object({
  /** Null: the merchant has no company name yet. */
  companyName: z.string().nullable(),
  /** Null: it wants the company name. */
  senderName: z.string().nullable(),
  state: senderNameState,
})

/** `POST /api/admin/users/:userId/sender-name`: approves the name that the administrator saw. */
export const approveSenderNameRequest = z.strictObject({ name: filled('Sender name', 60) })

export type SenderNameResponse = z.infer<typeof senderNameResponse>
export type ChangeBrandRequest = z.input<typeof changeBrandRequest>
export type BrandResponse = z.infer<typeof brandResponse>

nameContracts({
  ReceivablesBrand: brandResponse,
  ChangeBrandRequest: changeBrandRequest,
  SenderName: senderNameResponse,
  ApproveSenderNameRequest: approveSenderNameRequest,
})
