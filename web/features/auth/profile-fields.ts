/** The company profile while it is being typed: every field is text, and empty until filled. */
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

/** Whether all that is required is filled; whether it is valid is said when it is sent. */
export function isComplete(fields: ProfileFields): boolean {
  return required.every((name) => fields[name].trim() !== '')
}
