import { createWriteStream } from 'node:fs'
import { rename } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { StartupError } from '#services/startup-error'

/**
 * Writes a file that only its owner can read, packed when its name ends in .gz. It is written beside
 * and renamed, so that under its name it is whole or not there. `-` is standard output.
 * @throws StartupError when it cannot be written.
 */
export async function writeWholeFile(file: string, text: AsyncIterable<string>): Promise<void> {
  if (file === '-') return pipeline(Readable.from(text), process.stdout, { end: false })
  const partial = `${file}.partial`
  try {
    const out = createWriteStream(partial, { mode: 0o600, flush: true })
    await (file.endsWith('.gz') ? pipeline(Readable.from(text), createGzip({ level: 4 }), out) : pipeline(Readable.from(text), out))
    await rename(partial, file)
  } catch (error) {
    const code = typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''
    if (!['ENOENT', 'EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EISDIR', 'ENOTDIR'].includes(code)) throw error
    throw new StartupError(`${file} cannot be written (${code}). Name another one, or make room for it.`)
  }
}
