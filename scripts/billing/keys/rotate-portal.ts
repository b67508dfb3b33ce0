import { rotatePortalKey } from '#services/operations/keys/rotate-portal-key'
import { refuseOtherKeys } from '#services/keys/assert-known-keys'
import { onSourceLog } from '../on-source-log.ts'
import { print } from '../print.ts'

/** `billing keys rotate --portal`. */
export function rotatePortal(): Promise<void> {
  return onSourceLog(async ({ config, pool }) => {
    await refuseOtherKeys(pool, config)
    const { kind } = await rotatePortalKey(pool, config)
    print(
      kind === 'current'
        ? 'Nothing was changed: PORTAL_KEY is in use.\n'
        : 'PORTAL_KEY is in use.\n',
    )
    if (config.previousPortalKey !== null)
      print(
        'Next: keep PORTAL_KEY_PREVIOUS as long as clients may open the links of earlier messages. Without it these links lead nowhere.\n',
      )
  })
}
