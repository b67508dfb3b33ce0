import { Command } from 'commander'
import { sealKeysOf } from '#services/event-store/audit/audit-keys'
import { readConfig } from '#services/settings/read-config'
import { withSettingsFromFiles } from '#services/settings/settings-from-files'
import { print } from '../print.ts'

export function publicKeyCommand(): Command {
  return new Command('public-key')
    .description('Print the public key that proves the signatures of seals.')
    .addHelpText(
      'after',
      '\nThe key is Ed25519, in PEM and in hexadecimal. It is derived from AUDIT_KEY and no secret: publish it apart from the manifest.',
    )
    .action(() => {
      const { auditKey } = readConfig(withSettingsFromFiles(process.env))
      const { publicKey, publicKeyHex, fingerprint } = sealKeysOf(auditKey)
      const pem = publicKey.export({ format: 'pem', type: 'spki' }).toString()
      print(`${pem}Public key   ${publicKeyHex}\nFingerprint  ${fingerprint}\n`)
    })
}
