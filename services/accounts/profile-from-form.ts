import type { ProfileResponse } from '#contracts/account'
import type { CompanyProfile } from '#contracts/events/account'

type FormOfProfile = NonNullable<ProfileResponse['profile']>
type Optional = 'website_url' | 'city'

/** Converts the form's snake_case names to the names in the events. */
export function profileFromForm(
  form: Omit<FormOfProfile, Optional> & Partial<Pick<FormOfProfile, Optional>>,
): CompanyProfile {
  return {
    fullName: form.full_name,
    companyName: form.company_name,
    domain: form.domain,
    ...(form.website_url ? { websiteUrl: form.website_url } : {}),
    address: form.address,
    ...(form.city ? { city: form.city } : {}),
    state: form.state,
    zipcode: form.zipcode,
    supportEmail: form.support_email,
    supportPhone: form.support_phone,
  }
}

/** Converts the names in the events to the form's snake_case names. */
export function profileInForm(profile: CompanyProfile): NonNullable<ProfileResponse['profile']> {
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
  }
}
