import { createHash, randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { link, lstat, rename, rm } from 'node:fs/promises'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { StartupError } from '#services/foundation/startup-error'
import { untilStopped } from './until-stopped.ts'

/** What was written, to the byte: packed, where the file is packed. */
export interface WrittenFile {
  readonly bytes: number
  /** Hexadecimal, as `sha256sum` prints it. */
  readonly sha256: string
}

export interface WriteOptions {
  /** Replaces a plain file of that name. */
  readonly force?: boolean
}

/** The name that stands for standard output. */
export const standardOutput = '-'

/**
 * Refuses a file that exists, for a command to ask before its long work.
 * @throws StartupError
 */
export async function refuseExisting(
  file: string,
  { force = false }: WriteOptions = {},
): Promise<void> {
  if (file === standardOutput) return
  // Whatever else is wrong with the path comes up in writing.
  const found = await lstat(file).catch(() => null)
  if (found === null) return
  if (!found.isFile())
    throw new StartupError(`${file} is no plain file, and is not replaced. Name another file.`)
  if (!force)
    throw new StartupError(
      `${file} exists already. Name another file, or replace this one with --force.`,
    )
}

/**
 * Writes a file that only its owner can read, packed when its name ends in .gz. It is written beside its place and moved there, so
 * that under its name it is whole or does not exist. `-` is standard output.
 * @throws StartupError when the file exists (`refuseExisting`), cannot be written, or the operator stops it; then nothing is left of it
 */
export async function writeFileAtomically(
  file: string,
  text: AsyncIterable<string>,
  { force = false }: WriteOptions = {},
): Promise<WrittenFile> {
  const meter = createMeter()
  if (file === standardOutput) {
    await pipeline(Readable.from(text), meter, process.stdout, { end: false }).catch(
      (error: unknown) => {
        throw unwritable(
          error,
          (code) =>
            `Standard output cannot be written (${code}): what was written of it is incomplete.`,
        )
      },
    )
    return meter.written()
  }
  await refuseExisting(file, { force })
  // Another process may be writing a file of the same name.
  const partial = `${file}.${randomBytes(4).toString('hex')}.partial`
  try {
    const out = createWriteStream(partial, { mode: 0o600, flags: 'wx', flush: true })
    const packer = file.endsWith('.gz') ? [createGzip({ level: 4 })] : []
    await untilStopped(
      (signal) => pipeline([Readable.from(text), ...packer, meter, out], { signal }),
      `Stopped: ${file} was not written.`,
    )
    await (force ? rename(partial, file) : moveToFree(partial, file))
  } catch (error) {
    await rm(partial, { force: true }).catch(() => undefined)
    throw unwritable(
      error,
      (code) =>
        `${file} cannot be written (${code}), and nothing was written. Make room for it, or name another file.`,
    )
  }
  return meter.written()
}

/** Renaming would replace a file that has come meanwhile. Some file systems have no links, and nothing better than renaming. */
async function moveToFree(partial: string, file: string): Promise<void> {
  try {
    await link(partial, file)
  } catch (error) {
    if (codeOf(error) === 'EEXIST')
      throw new StartupError(
        `${file} was made by another process meanwhile, and is not replaced. Name another file.`,
      )
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(codeOf(error))) throw error
    return rename(partial, file)
  }
  await rm(partial)
}

/** Counts and hashes what passes. */
function createMeter(): Transform & { written(): WrittenFile } {
  const hash = createHash('sha256')
  let bytes = 0
  const meter = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      bytes += chunk.length
      done(null, chunk)
    },
  })
  return Object.assign(meter, { written: () => ({ bytes, sha256: hash.digest('hex') }) })
}

const reasons = [
  'ENOENT',
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOSPC',
  'EDQUOT',
  'EFBIG',
  'EIO',
  'EISDIR',
  'ENOTDIR',
  'ENAMETOOLONG',
  'EPIPE',
]

/** A sentence for what an operator can mend; every other error as it is. */
function unwritable(error: unknown, sentence: (code: string) => string): unknown {
  return reasons.includes(codeOf(error)) ? new StartupError(sentence(codeOf(error))) : error
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : ''
}
