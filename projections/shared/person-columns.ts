import { z } from 'zod'
import type { CompanyProfile } from '#contracts/events/account'

/*
 * The columns about a person that several read models have: e-mail addresses and company profile.
 * Fields are named as the columns.
 */

const text = z.string().nullable()

export const personColumns = {
  email: z.string(),
  secondary_email: text,
  is_primary_email_active: z.boolean(),
  full_name: text,
  company_name: text,
  domain: text,
  website_url: text,
  address: text,
  city: text,
  state: text,
  zipcode: text,
  support_email: text,
  support_phone: text,
}

export type Person = Readonly<z.infer<z.ZodObject<typeof personColumns>>>

/**
 * A person of whom only the e-mail address is known. After an erasure the address is '[erased]'.
 */
export function personWith(email: string): Person {
  return {
    email,
    secondary_email: null,
    is_primary_email_active: true,
    ...noProfileColumns,
  }
}

/** The columns of a profile that does not exist. */
export const noProfileColumns = {
  full_name: null,
  company_name: null,
  domain: null,
  website_url: null,
  address: null,
  city: null,
  state: null,
  zipcode: null,
  support_email: null,
  support_phone: null,
} satisfies Partial<Person>

export function profileColumns(profile: CompanyProfile) {
  return {
    full_name: profile.fullName,
    company_name: profile.companyName,
    domain: profile.domain,
    website_url: profile.websiteUrl ?? null,
    address: profile.address,
    city: profile.city ?? null,
    state: profile.state,
    zipcode: profile.zipcode,
    support_email: profile.supportEmail,
    support_phone: profile.supportPhone,
  } satisfies Partial<Person>
}
