import { domainToASCII } from 'node:url'

/** An address as mails carry it: the mail server's library shows the domain in its own script. */
export function wireAddress(address: string): string {
  const at = address.lastIndexOf('@') + 1
  return at === 0
    ? address
    : address.slice(0, at) + (domainToASCII(address.slice(at)) || address.slice(at))
}
