import { z } from 'zod'
import { emailAddress } from './email-address.ts'
import { filled, optional, phoneNumber, plain, trimmed } from './form-text.ts'
import { companyDomains, usStates } from './profile-options.ts'

/** An address without a scheme gets https://. A port after the host is not a scheme. */
const withScheme = (text: string) =>
  text === '' || /^[a-z][a-z\d+.-]*:(?!\d)/i.test(text) ? text : `https://${text}`

const webAddress = trimmed
  .overwrite(withScheme)
  .max(300, 'Website link has 300 characters at most.')
  .refine(...plain('Website link'))
  .refine(
    (text) => text === '' || /^https?:\/\//i.test(text),
    'Website link must start with http:// or https://.',
  )
  // A user name can make an address look like another one: https://bank.example@host.
  .refine(
    (text) => !/^https?:\/\/[^/?#]*@|["'<>`\\]/i.test(text),
    'Website link must not contain a user name, quotes or angle brackets.',
  )
  .refine(
    (text) => !/^https?:/i.test(text) || /^https?:\/\/[^\s./?#]+\.[^\s/?#][^\s]*$/i.test(text),
    'Website link must be a web address, such as https://example.com.',
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
  support_phone: phoneNumber('Support phone'),
  has_accepted_terms: z.literal(true, 'The terms must be accepted.'),
})

export type ProfileForm = z.infer<typeof profileForm>
