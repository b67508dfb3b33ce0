import { z } from 'zod'
import { emailAddress } from './email-address.ts'
import { filled, paragraphs, phoneNumber } from './form-text.ts'
import { nameContracts } from './name-contracts.ts'

/** The contact form (specification, sections 3 and 5). */
const enquiryForm = z.object({
  first_name: filled('First name', 80),
  last_name: filled('Last name', 80),
  email: emailAddress,
  phone_number: phoneNumber('Phone number'),
  message: paragraphs('Message', 5_000).min(1, 'Message is required.'),
  goals: paragraphs('Goals', 2_000).default(''),
})
export type EnquiryForm = z.infer<typeof enquiryForm>

/** `POST /api/enquiries`. */
export const submitEnquiryRequest = enquiryForm.extend({
  /**
   * A trap for programs: the page hides the field, so a person leaves it empty. An enquiry with a
   * filled field is answered as any other, and is not recorded.
   */
  website: z.string().default(''),
})
export const submitEnquiryResponse = z.object({})

nameContracts({
  SubmitEnquiryRequest: submitEnquiryRequest,
  SubmitEnquiryResponse: submitEnquiryResponse,
})
