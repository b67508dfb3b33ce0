import { createSealDirectory } from '#services/event-store/publishing/seal-directory'
import type { SealPlace } from '#services/event-store/publishing/seal-place'
import { createSealProgram } from '#services/event-store/publishing/seal-program'
import type { Config } from '#services/settings/config'
import { secretSettings } from '#services/settings/settings'

/**
 * The places of SEAL_DIRECTORY and SEAL_PROGRAM. The programs get `env` without the product's
 * secrets: a program that uploads a seal must not be able to upload a key.
 */
export function sealPlacesOf(
  { sealPublishing }: Pick<Config, 'sealPublishing'>,
  env: NodeJS.ProcessEnv,
): readonly SealPlace[] {
  const { directory, program, listProgram } = sealPublishing
  const secrets = new Set<string>(secretSettings.flatMap((name) => [name, `${name}_FILE`]))
  const withoutSecrets = Object.fromEntries(
    Object.entries(env).filter(([name]) => !secrets.has(name)),
  )
  return [
    ...(directory === null ? [] : [createSealDirectory(directory)]),
    ...(program === null
      ? []
      : [createSealProgram({ publish: program, list: listProgram, env: withoutSecrets })]),
  ]
}
