/*
 * Which addresses reach one mailbox, as far as it can be known from outside. Only limits use it: a
 * mail goes to the address that was typed, and each address is another account.
 */

/** The two domains of Google's mail. Source: support.google.com/mail/answer/10313. */
const googleDomains = new Set(['gmail.com', 'googlemail.com'])

/**
 * The mailbox of an address as the product stores it. Without the tag after `+`, which most servers
 * ignore (RFC 5233). Dots count, except at Gmail, which ignores them (support.google.com/mail,
 * answer 7436150). Two servers can disagree: then two mailboxes share one limit.
 */
export function mailboxOf(address: string): string {
  const domain = domainOf(address)
  const local = address.slice(0, -domain.length - 1)
  const untagged = local.replace(/(?<=.)\+.*$/, '')
  if (!googleDomains.has(domain)) return `${untagged}@${domain}`
  return `${untagged.replaceAll('.', '')}@gmail.com`
}

export function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1)
}
