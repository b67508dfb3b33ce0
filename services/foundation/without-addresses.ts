/** All signs of an address (contracts/address-rules.ts), though some of them also surround one. */
const address = /[^\s@<>()[\],;:"]+@[^\s@<>()[\]{},;:"'`=]+/g

/**
 * The text with `[address]` for each e-mail address: third parties repeat addresses, such as a mail
 * server that refuses a recipient.
 */
export function withoutAddresses(text: string): string {
  return text.replace(address, '[address]')
}
