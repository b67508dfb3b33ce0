import { createHmac } from 'node:crypto'

/**
 * The digest of the administrators' password for their sessions. It needs a secret that no table
 * holds: nobody finds the password by a table of sessions. AUDIT_KEY never changes.
 */
export function passwordMark({
  admin,
  auditKey,
}: {
  readonly admin: { readonly passwordHash: string } | { readonly password: string }
  readonly auditKey: Buffer
}): string {
  const password = 'passwordHash' in admin ? admin.passwordHash : admin.password
  return createHmac('sha256', auditKey).update(`administrators ${password}`).digest('base64url')
}
