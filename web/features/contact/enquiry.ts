/** The fields of the contact form, by the names of the API. `website` is the trap for programs. */
const fieldNames = [
  'first_name',
  'last_name',
  'email',
  'phone_number',
  'message',
  'goals',
  'website',
] as const

/** The text if the server gives no answer. */
export const notSent = 'Failed to send your message. Please try again later.'

export type FieldName = (typeof fieldNames)[number]
export type Enquiry = Readonly<Record<FieldName, string>>
export type FieldErrors = Partial<Readonly<Record<FieldName, string>>>

export function readEnquiry(form: HTMLFormElement): Enquiry {
  const entries = fieldNames.map((name) => {
    const control = form.elements.namedItem(name)
    return [name, control !== null && 'value' in control ? control.value : ''] as const
  })
  return Object.fromEntries(entries) as Enquiry
}
