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
  loading ??= loadLayout()
  const { renderDocument } = await loading
  return renderDocument(content, brand, sender)
}

let loading: ReturnType<typeof loadLayout> | null = null

/**
 * React decides by NODE_ENV at its load which build it is. The development build takes twice the
 * processor time for a mail. NODE_ENV itself stays as it is, because it decides about the sandbox.
 */
async function loadLayout() {
  const { NODE_ENV } = process.env
  process.env.NODE_ENV = 'production'
  try {
    return await import('./layout/render-document.tsx')
  } finally {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = NODE_ENV
  }
}
