import { createHash, randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { link, lstat, rename, rm } from 'node:fs/promises'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { StartupError } from '#services/foundation/startup-error'
import { errorCodeOrText } from '#services/foundation/error-code'
import { withStopSignal } from './with-stop-signal.ts'

/** The written bytes: after compression, if the file is compressed. */
export interface WrittenFile {
  readonly bytes: number
  /** Hexadecimal, as `sha256sum` prints it. */
  readonly sha256: string
}

export interface WriteOptions {
  /** Replaces a regular file of that name. */
  readonly force?: boolean
}

/** The file name that means standard output. */
export const standardOutput = '-'

/**
 * Refuses a file that exists. A command calls it before its long work.
 * @throws StartupError
 */
export async function refuseExisting(
  file: string,
  { force = false }: WriteOptions = {},
): Promise<void> {
  if (file === standardOutput) return
  // The later write reports every other problem of the path.
  const found = await lstat(file).catch(() => null)
  if (found === null) return
  if (!found.isFile())
    throw new StartupError(
      `${file} is not a regular file, and was not replaced. Name another file.`,
    )
  if (!force)
    throw new StartupError(
      `${file} already exists. Name another file, or replace this file with --force.`,
    )
}

/**
 * Writes a file that only its owner can read, compressed if its name ends in .gz. The bytes go to a
 * temporary file beside it. At the end the temporary file is renamed: the file is complete or does
 * not exist. `-` is standard output.
 * @throws StartupError if the file exists (`refuseExisting`), cannot be written, or the operator
 * stops the command. The temporary file is then removed.
 */
export async function writeFileAtomically(
  file: string,
  content: AsyncIterable<string | Uint8Array>,
  { force = false }: WriteOptions = {},
): Promise<WrittenFile> {
  const meter = createMeter()
  if (file === standardOutput) {
    await pipeline(Readable.from(content), meter, process.stdout, { end: false }).catch(
      (error: unknown) => {
        throw unwritable(
          error,
          (code) => `Standard output cannot be written (${code}): the output is incomplete.`,
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
    await withStopSignal(
      (signal) => pipeline([Readable.from(content), ...packer, meter, out], { signal }),
      `Stopped: ${file} was not written.`,
    )
    await (force ? rename(partial, file) : moveToFree(partial, file))
  } catch (error) {
    await rm(partial, { force: true }).catch(() => undefined)
    throw unwritable(
      error,
      (code, nextStep) =>
        `${file} cannot be written (${code}), and nothing was written. ${nextStep}`,
    )
  }
  return meter.written()
}

/**
 * A rename would replace a file that another process created meanwhile. A file system without links
 * has only the rename.
 */
async function moveToFree(partial: string, file: string): Promise<void> {
  try {
    await link(partial, file)
  } catch (error) {
    if (errorCodeOrText(error) === 'EEXIST')
      throw new StartupError(
        `Another process created ${file} meanwhile, and it was not replaced. Name another file.`,
      )
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(errorCodeOrText(error))) throw error
    return rename(partial, file)
  }
  await rm(partial)
}

/** Passes its input through, counts the bytes and computes their hash. */
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

/** The causes that the operator can correct, and the next step for a file. */
const nextSteps: Readonly<Record<string, string>> = {
  ENOENT: 'Create its directory, or name another file.',
  ENOTDIR: 'Name a file in a directory.',
  EISDIR: 'Name a file, not a directory.',
  ENAMETOOLONG: 'Name a file with a shorter name.',
  EACCES: 'Name a file that this user may write.',
  EPERM: 'Name a file that this user may write.',
  EROFS: 'Name a file on a file system that is not read-only.',
  ENOSPC: 'Free some space, or name another file.',
  EDQUOT: 'Free some space, or name another file.',
  EFBIG: 'Free some space, or name another file.',
  EIO: 'Name a file on another disk.',
  EPIPE: 'Run the command again.',
}

/** A `StartupError` if the operator can correct the cause; any other error unchanged. */
function unwritable(error: unknown, sentence: (code: string, nextStep: string) => string): unknown {
  const code = errorCodeOrText(error)
  const nextStep = nextSteps[code]
  return nextStep === undefined
    ? error
    : new StartupError(sentence(code, nextStep), { cause: error })
}
