import { useEffect, useRef, useState, type FormEvent } from 'react'
import { Link } from 'react-router-dom'
import { siteContent } from '#contracts/brand/site-content'
import { Button } from '../../ui/button.tsx'
import { TextAreaField, TextField } from '../../ui/field.tsx'
import { readEnquiry, type FieldName } from './enquiry.ts'
import { useEnquiry } from './use-enquiry.ts'

interface EnquiryFormProps {
  /** Whether the first field takes the focus when the form appears. */
  readonly takesFocus: boolean
  readonly onSent: () => void
}

/**
 * The fields keep their own texts: a visitor may write before the page's script runs, and what is
 * written survives a refusal.
 */
export function EnquiryForm({ takesFocus, onSent }: EnquiryFormProps) {
  const form = useRef<HTMLFormElement>(null)
  const isLive = useIsLive()
  const { isSubmitting, errors, failures, submit, forget, prepare } = useEnquiry()

  useEffect(() => {
    if (takesFocus) form.current?.querySelector('input')?.focus()
  }, [takesFocus])
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [failures])

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    if (await submit(readEnquiry(event.currentTarget))) onSent()
  }

  /** The common properties of the form's controls. */
  const bind = (name: FieldName) => ({
    name,
    error: errors[name],
    onInput: () => errors[name] !== undefined && forget(name),
    onFocus: prepare,
  })

  return (
    <form
      ref={form}
      aria-label="Talk with an expert"
      noValidate
      onSubmit={(event) => void send(event)}
    >
      <TextField label="First name *" autoComplete="given-name" {...bind('first_name')} />
      <TextField label="Last name *" autoComplete="family-name" {...bind('last_name')} />
      <TextField
        label="Email *"
        type="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        {...bind('email')}
      />
      <TextField label="Phone number *" type="tel" autoComplete="tel" {...bind('phone_number')} />
      <TextAreaField label="Message *" rows={4} {...bind('message')} className="contact-wide" />
      <TextAreaField label="Goals" rows={2} optional {...bind('goals')} className="contact-wide" />
      <label className="contact-trap" aria-hidden="true">
        Website
        <input name="website" tabIndex={-1} autoComplete="off" />
      </label>
      <div className="contact-wide contact-foot">
        {/* Without the page's script, a submission would lose the texts. */}
        <Button type={isLive ? 'submit' : 'button'} size="lg" busy={isSubmitting}>
          Submit
        </Button>
        <p>
          Fields marked * are required. By selecting Submit you agree to our{' '}
          <Link to="/privacy-policy">Privacy Policy</Link>. We reply within{' '}
          <span className="nowrap">{siteContent.contact.replyTime}</span>.
        </p>
      </div>
    </form>
  )
}

/** False in prerendered HTML, until the page's script runs. */
function useIsLive(): boolean {
  const [isLive, setLive] = useState(false)
  useEffect(() => setLive(true), [])
  return isLive
}
