import { useRef, useState } from 'react'
import { newId } from '../../lib/new-id.ts'
import { showToast } from '../../lib/toasts.ts'
import { notSent, type Enquiry, type FieldErrors, type FieldName } from './enquiry.ts'
import type { Outcome } from './send-enquiry.ts'

const load = () => import('./send-enquiry.ts')

/** Sends an enquiry and shows the result in a toast. `submit` returns whether it was sent. */
export function useEnquiry() {
  const [isSubmitting, setSubmitting] = useState(false)
  const [errors, setErrors] = useState<FieldErrors>({})
  const [failures, setFailures] = useState(0)
  /** The key of the enquiry that was sent last, for a repeat of the same texts. */
  const last = useRef({ texts: '', key: '' })

  async function send(enquiry: Enquiry): Promise<Outcome> {
    const texts = JSON.stringify(enquiry)
    if (last.current.texts !== texts) last.current = { texts, key: newId() }
    try {
      const { sendEnquiry } = await load()
      return await sendEnquiry(enquiry, last.current.key)
    } catch {
      return { kind: 'refused', text: notSent, errors: {} }
    }
  }

  async function submit(enquiry: Enquiry): Promise<boolean> {
    setSubmitting(true)
    const outcome = await send(enquiry)
    setSubmitting(false)
    setErrors(outcome.kind === 'sent' ? {} : outcome.errors)
    if (outcome.kind === 'sent')
      showToast('success', "We'll get back to you soon.", 'Message sent!')
    if (outcome.kind === 'refused') showToast('error', outcome.text, 'Error')
    if (outcome.kind !== 'sent') setFailures((count) => count + 1)
    return outcome.kind === 'sent'
  }

  return {
    isSubmitting,
    errors,
    /** How often the form was not sent. */
    failures,
    submit,
    /** Removes the error of a field that the visitor changes. */
    forget: (name: FieldName) => setErrors(({ [name]: _changed, ...others }) => others),
    /** Loads the validator, so that Submit does not wait for it. */
    prepare: () => void load().catch(() => undefined),
  }
}
