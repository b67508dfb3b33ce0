/**
 * A code of the payment provider as screens, receipts and exports show it: `requested_by_customer`
 * is `Requested by customer`. A text that a person wrote stays as it is.
 */
export function codeInWords(code: string): string {
  if (!/^[a-z_]+$/.test(code)) return code
  return code.charAt(0).toUpperCase() + code.slice(1).replaceAll('_', ' ')
}
