import type { BrandShades } from '#contracts/receivables/brand-color'

/** In whose name a mail is that is not the product's own: a merchant, who writes to its client. */
export interface MailSender {
  readonly name: string
  /** `width` and `height` are those of the image, in pixels. */
  readonly logo: { readonly url: string; readonly width: number; readonly height: number } | null
  readonly shades: { readonly light: BrandShades; readonly dark: BrandShades }
  /** Below the mail, instead of the product's support address: a paragraph each. */
  readonly foot: readonly FootParagraph[]
}

interface FootParagraph {
  readonly text: string
  /** At the end: in the text part, what follows an address could be read as a part of it. */
  readonly link?: { readonly label: string; readonly url: string }
}
