import type { Brand } from '#contracts/brand/brand'

/** The sender of the brand's mails, as a mail header has it. */
export function senderOf({ name, senderEmail }: Pick<Brand, 'name' | 'senderEmail'>): string {
  return `"${name.replace(/["\\]/g, '\\$&')}" <${senderEmail}>`
}
