/** The company profile form: every field is text and initially empty. */
export const emptyProfile = {
  full_name: '',
  company_name: '',
  domain: '',
  website_url: '',
  address: '',
  city: '',
  state: '',
  zipcode: '',
  support_email: '',
  support_phone: '',
}

export type ProfileFields = typeof emptyProfile

const required = [
  'full_name',
  'company_name',
  'domain',
  'address',
  'state',
  'zipcode',
  'support_email',
  'support_phone',
] as const

/** True if every required field is filled. Submitting checks the values. */
export function isComplete(fields: ProfileFields): boolean {
  return required.every((name) => fields[name].trim() !== '')
}
