import { useState } from 'react'
import { EnquiryForm } from './enquiry-form.tsx'
import { SentMessage } from './sent-message.tsx'
import './contact-form.css'

/** The contact form, and the thanks in its place after a message. */
export function ContactForm() {
  const [view, setView] = useState<'first' | 'sent' | 'again'>('first')
  return (
    <div className="contact-form">
      {view === 'sent' ? (
        <SentMessage onAgain={() => setView('again')} />
      ) : (
        <EnquiryForm takesFocus={view === 'again'} onSent={() => setView('sent')} />
      )}
    </div>
  )
}
