import type { Brand } from '#contracts/brand/brand'
import type { MailContent } from '#services/mail/mail-content'

/** What a template needs beside the values of its mail. */
export interface RenderContext {
  readonly brand: Brand
  /** The product's origin, for links to its pages. */
  readonly publicUrl: string
}

/** A mail's content, and the headers that only its kind has. */
export interface Template extends MailContent {
  readonly headers?: Readonly<Record<string, string>>
}

/** The page of a payment's or a refund's receipt. */
export function receiptUrl(receiptId: string, { publicUrl }: RenderContext): string {
  return new URL(`/receipts/${encodeURIComponent(receiptId)}`, publicUrl).href
}

/** The merchant's receivables. Until the first invoice, the page shows the checklist. */
export function receivablesUrl({ publicUrl }: RenderContext): string {
  return new URL('/receivables', publicUrl).href
}
