/**
 * The greatest number of characters per field of the contact form. Free of zod, so that the form is
 * part of the landing page without a validator.
 */
export const enquiryLimits = {
  first_name: 80,
  last_name: 80,
  email: 254,
  phone_number: 30,
  message: 5_000,
  goals: 2_000,
} as const
