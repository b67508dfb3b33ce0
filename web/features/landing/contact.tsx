import type { ReactNode } from 'react'
import { siteContent } from '#contracts/brand/site-content'
import { InvoiceSlip } from './invoice-slip.tsx'
import './contact.css'

const { lead } = siteContent.contact

/** The contact section. The route passes the form, which is another feature. */
export function Contact({ form }: { form: ReactNode }) {
  return (
    <div className="contact">
      <div className="contact-lead">
        <h2>Talk with an expert</h2>
        <p>{lead}</p>
        <InvoiceSlip />
      </div>
      {form}
    </div>
  )
}
