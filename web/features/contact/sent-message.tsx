import { useEffect, useRef } from 'react'
import { siteContent } from '#contracts/brand/site-content'
import { Button } from '../../ui/button.tsx'
import { Mark } from '../../ui/mark.tsx'

export function SentMessage({ onAgain }: { onAgain: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <div className="contact-sent">
      <Mark kind="paid" size="lg" />
      <h3 ref={heading} tabIndex={-1}>
        Message Sent Successfully!
      </h3>
      <p>
        Thank you. We reply within <span className="nowrap">{siteContent.contact.replyTime}</span>.
      </p>
      <Button look="line" size="md" onClick={onAgain}>
        Send Another Message
      </Button>
    </div>
  )
}
