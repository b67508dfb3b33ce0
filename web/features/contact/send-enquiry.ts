import { submitEnquiryRequest, submitEnquiryResponse } from '#contracts/enquiries'
import { callApi } from '../../lib/http.ts'
import { notSent, type Enquiry, type FieldErrors } from './enquiry.ts'

export type Outcome =
  | { readonly kind: 'sent' }
  /** The form breaks its rules: a sentence per invalid field. Nothing was sent. */
  | { readonly kind: 'invalid'; readonly errors: FieldErrors }
  /** The text for the visitor. The server may name a field. */
  | { readonly kind: 'refused'; readonly text: string; readonly errors: FieldErrors }

/**
 * Checks the form and sends it. A repeat with the same key is the same enquiry, so a repeat after a
 * lost answer does not record it twice. This file has the validator. The page loads it when a
 * visitor starts to write.
 */
export async function sendEnquiry(enquiry: Enquiry, idempotencyKey: string): Promise<Outcome> {
  const checked = submitEnquiryRequest.safeParse(enquiry)
  if (!checked.success) return { kind: 'invalid', errors: firstErrors(checked.error.issues) }
  const { data, error } = await callApi({
    url: '/api/enquiries',
    method: 'POST',
    body: checked.data,
    headers: { 'Idempotency-Key': idempotencyKey },
  })
  if (error) {
    const hasAnswer = typeof error.status === 'number'
    const text = error.error ?? (hasAnswer ? 'Something went wrong' : notSent)
    return { kind: 'refused', text, errors: error.field ? { [error.field]: text } : {} }
  }
  if (!submitEnquiryResponse.safeParse(data).success)
    return { kind: 'refused', text: notSent, errors: {} }
  return { kind: 'sent' }
}

/** One sentence per field: the first one. */
function firstErrors(
  issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[],
): FieldErrors {
  const errors: Record<string, string> = {}
  for (const { path, message } of issues) errors[String(path[0])] ??= message
  return errors
}
