import { render } from '@react-email/render'
import type { Brand } from '#contracts/brand/brand'
import type { MailContent } from '../mail-content.ts'
import type { MailSender } from '../mail-sender.ts'
import { MailDocument } from './mail-document.tsx'
import { withOutlookParts } from './outlook-head.ts'
import { textOf } from './plain-text.ts'

export async function renderDocument(
  content: MailContent,
  brand: Brand,
  sender: MailSender | null,
): Promise<{ readonly html: string; readonly text: string }> {
  const html = await render(<MailDocument content={content} brand={brand} sender={sender} />)
  return { html: withOutlookParts(html), text: textOf(html) }
}
