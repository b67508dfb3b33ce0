/*
 * What an import compares of clients. Case, spaces and the forms of Unicode do not count, and
 * neither do the points and commas of a name: `Acme, Inc.` and `ACME Inc` are equal.
 */

export function nameKey(name: string): string {
  return spaced(name.normalize('NFKC').replace(/[.,]/gu, ' '))
}

export function emailKey(email: string): string {
  return email.normalize('NFKC').trim().toLowerCase()
}

/** Of the merchant's number of a client. */
export function numberKey(number: string): string {
  return number.normalize('NFKC').replace(/\s+/gu, '').toLowerCase()
}

function spaced(text: string): string {
  return text.replace(/\s+/gu, ' ').trim().toLowerCase()
}
