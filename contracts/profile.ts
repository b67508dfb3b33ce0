import { z } from 'zod'
import { emailAddress } from './email-address.ts'
import { companyDomains, usStates } from './profile-options.ts'

/**
 * No name contains control characters or lone surrogates, and PostgreSQL cannot store all of them.
 */
const isPlainText = (text: string) => !/[\p{Cc}\p{Cs}]/u.test(text)
const plain = (what: string) =>
  [isPlainText, `${what} contains characters that cannot be shown.`] as const

const filled = (what: string, max: number) =>
  z
    .string()
    .trim()
    .min(1, `${what} is required.`)
    .max(max, `${what} has ${max} characters at most.`)
    .refine(...plain(what))

const optional = (what: string, max: number) =>
  z
    .string()
    .trim()
    .max(max, `${what} has ${max} characters at most.`)
    .refine(...plain(what))
    .optional()
    .transform((text) => text || undefined)

const webAddress = z
  .string()
  .trim()
  .max(300, 'Website link has 300 characters at most.')
  .refine(
    (text) => text === '' || /^https?:\/\/[^\s.]+\.[^\s]+$/i.test(text),
    'Website link must start with http:// or https://.',
  )
  .optional()
  .transform((text) => text || undefined)

/** The company profile that the sign-up form sends (specification, sections 3 and 5). */
export const profileForm = z.object({
  full_name: filled('Full name', 120),
  company_name: filled('Company name', 160),
  domain: z.enum(companyDomains, 'Choose a domain from the list.'),
  website_url: webAddress,
  address: filled('Address', 200),
  city: optional('City', 100),
  state: z.enum(usStates, 'Choose a state from the list.'),
  zipcode: filled('ZIP code', 10).pipe(
    z.string().regex(/^\d{5}(-\d{4})?$/, 'ZIP code has five digits, or five and four.'),
  ),
  support_email: emailAddress,
  support_phone: filled('Support phone', 30).pipe(
    z
      .string()
      .regex(
        /^[+()\-.\s\d]*\d[+()\-.\s\d]*$/,
        'Support phone has digits, spaces and + ( ) - . only.',
      ),
  ),
  has_accepted_terms: z.literal(true, 'The terms must be accepted.'),
})

export type ProfileForm = z.infer<typeof profileForm>
