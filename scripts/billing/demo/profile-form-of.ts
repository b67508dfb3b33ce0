import type { CompanyProfile } from '#contracts/events/account'
import type { ProfileForm } from '#contracts/profile'

/** The form of the profile dialog, filled in with an invented profile. */
export function profileFormOf(profile: CompanyProfile): ProfileForm {
  return {
    full_name: profile.fullName,
    company_name: profile.companyName,
    domain: profile.domain as ProfileForm['domain'],
    website_url: profile.websiteUrl,
    address: profile.address,
    city: profile.city,
    state: profile.state as ProfileForm['state'],
    zipcode: profile.zipcode,
    support_email: profile.supportEmail,
    support_phone: profile.supportPhone,
    has_accepted_terms: true,
  }
}
