import { brand } from '#contracts/brand/brand'
import { servesPages, type Config } from './config.ts'

/**
 * Prints where the product can be reached and, without ADMIN_PASSWORD_HASH, the administrator's
 * password.
 */
export function announce(
  { publicUrl, role, admin, smtpUrl }: Pick<Config, 'publicUrl' | 'role' | 'admin' | 'smtpUrl'>,
  sandbox: { readonly url: string } | null,
  print: (line: string) => void,
): void {
  print('')
  print(`  ${brand.name.padEnd(17)}   ${publicUrl}`)
  if (servesPages(role)) print(`  Administrators      ${publicUrl}/admin`)
  if (!('passwordHash' in admin) && servesPages(role))
    print(`  Admin password      ${admin.password}`)
  if (sandbox !== null && smtpUrl === null)
    print(`  Sandbox inbox       ${sandbox.url.replace('127.0.0.1', 'localhost')}/inbox`)
  print('')
  print('  Ctrl-C stops the product. It keeps all data.')
}
