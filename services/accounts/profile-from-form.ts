import type { CompanyProfile } from '#contracts/events/account'
import type { ProfileForm } from '#contracts/profile'

/** Converts the form's snake_case names to the names in the events. */
export function profileFromForm(form: ProfileForm): CompanyProfile {
  return {
    fullName: form.full_name,
    companyName: form.company_name,
    domain: form.domain,
    ...(form.website_url === undefined ? {} : { websiteUrl: form.website_url }),
    address: form.address,
    ...(form.city === undefined ? {} : { city: form.city }),
    state: form.state,
    zipcode: form.zipcode,
    supportEmail: form.support_email,
    supportPhone: form.support_phone,
  }
}
