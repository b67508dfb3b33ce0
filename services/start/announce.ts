import { brand } from '#contracts/brand/brand'
import { servesPages, type Config } from '#services/settings/config'
import { inboxUrl } from '#services/settings/inbox-url'

/**
 * Prints where the product can be reached and, without ADMIN_PASSWORD_HASH, the administrator's
 * password.
 * @param notes of the sandbox
 */
export function announce(
  config: Config,
  print: (line: string) => void,
  notes: readonly string[] = [],
): void {
  const { publicUrl, role, admin } = config
  const inbox = servesPages(role) ? inboxUrl(config) : null
  print('')
  print(`  ${brand.name.padEnd(17)}   ${publicUrl}`)
  if (servesPages(role)) print(`  Administrators      ${publicUrl}/admin`)
  if (!('passwordHash' in admin) && servesPages(role))
    print(`  Admin password      ${admin.password}`)
  if (inbox !== null) print(`  Sandbox inbox       ${inbox}`)
  for (const note of notes) print(note)
  print('')
  print('  Ctrl-C stops the product. It keeps all data.')
}
