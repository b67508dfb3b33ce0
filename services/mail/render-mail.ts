import type { Brand } from '#contracts/brand/brand'
import type { MailContent } from './mail-content.ts'
import type { MailSender } from './mail-sender.ts'

export interface RenderedContent {
  readonly html: string
  /** Made from the HTML, so that both say the same. */
  readonly text: string
}

/**
 * The HTML and the text of a mail in the brand's layout, or in the look of `sender`. Loads React
 * with the first mail.
 */
export async function renderMail(
  content: MailContent,
  brand: Brand,
  sender: MailSender | null = null,
): Promise<RenderedContent> {
  const { renderDocument } = await import('./layout/render-document.ts')
  return renderDocument(content, brand, sender)
}
