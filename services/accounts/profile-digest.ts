import { createHash } from 'node:crypto'
import type { CompanyProfile } from '#contracts/events/account'

const profileFields = [
  'fullName',
  'companyName',
  'domain',
  'websiteUrl',
  'address',
  'city',
  'state',
  'zipcode',
  'supportEmail',
  'supportPhone',
] as const satisfies readonly (keyof CompanyProfile)[]

/**
 * Equal for equal profiles. A session remembers by it which profile its browser saved, without the
 * profile itself.
 */
export function profileDigest(profile: CompanyProfile): string {
  const values = profileFields.map((field) => profile[field] ?? null)
  return createHash('sha256').update(JSON.stringify(values)).digest('hex')
}

export function isSameProfile(a: CompanyProfile, b: CompanyProfile): boolean {
  return profileFields.every((field) => a[field] === b[field])
}
