import { createHash } from 'node:crypto'
import { createReadStream, type ReadStream } from 'node:fs'
import { createGunzip, type Gunzip } from 'node:zlib'
import { z } from 'zod'
import { errorCode } from './error-code.ts'
import { StartupError } from './startup-error.ts'

/** The last line of the file: the number of lines before it, and the SHA-256 of their bytes. */
const trailer = z.object({ trailer: z.object({ lines: z.int(), sha256: z.string() }) })

/**
 * The text of a file of JSON lines. The last line is a trailer that reveals a damaged or incomplete
 * file.
 */
export async function* withChecksum(
  pages: AsyncIterable<readonly string[]>,
): AsyncGenerator<string> {
  const hash = createHash('sha256')
  let lines = 0
  for await (const page of pages) {
    if (page.length === 0) continue
    const text = `${page.join('\n')}\n`
    hash.update(text)
    lines += page.length
    yield text
  }
  yield `${JSON.stringify({ trailer: { lines, sha256: hash.digest('hex') } } satisfies z.infer<typeof trailer>)}\n`
}

/**
 * The lines of such a file, in pages, without the trailer. A file whose name ends in .gz is
 * decompressed. The checksum is compared at the end: read the whole file once before you use any
 * line.
 * @throws StartupError if the file cannot be read, is incomplete or is damaged
 */
export async function* readChecksummed(file: string): AsyncGenerator<readonly string[]> {
  const hash = createHash('sha256')
  let count = 0
  // The trailer is the last line, and only the end of the file shows which line is the last.
  let heldBack: string | null = null
  try {
    for await (const lines of linesOf(file)) {
      const all: readonly string[] = heldBack === null ? lines : [heldBack, ...lines]
      const page = all.slice(0, -1)
      heldBack = all.at(-1) ?? null
      if (page.length === 0) continue
      hash.update(`${page.join('\n')}\n`)
      count += page.length
      yield page
    }
  } catch (error) {
    throw explain(file, error)
  }
  const end = trailer.safeParse(parse(heldBack ?? ''))
  if (!end.success)
    throw new StartupError(
      `${file} is incomplete: its last line is missing. Write the file again, or copy it again from an intact source.`,
    )
  const { lines, sha256 } = end.data.trailer
  if (lines !== count || sha256 !== hash.digest('hex')) {
    throw new StartupError(
      `${file} is damaged: its content does not match the checksum in its last line. Copy it again from an intact source.`,
    )
  }
}

/**
 * Parses a line of such a file, whose checksum holds.
 * @throws StartupError if this release cannot read the line. The message has no value, because a
 * line can hold personal data.
 */
export function parseLine<Schema extends z.ZodType>(
  file: string,
  schema: Schema,
  line: string,
): z.output<Schema> {
  const parsed = schema.safeParse(parse(line))
  if (parsed.success) return parsed.data
  const field = parsed.error.issues[0]?.path.join('.') ?? ''
  throw new StartupError(
    `${file} has a line that this release cannot read${field === '' ? '' : `: its field '${field}' is missing or wrong`}. Run the release that wrote the file.`,
  )
}

/**
 * The size of a page before its lines are split. A restore into EventStoreDB waits for the server
 * at the end of each page.
 */
const pageBytes = 4 * 1024 * 1024

/**
 * In UTF-16 code units. The longest line of the product is an event of 1 MB with escaped
 * characters. A file of another kind can be one line of any length.
 */
const longestLine = 64 * 1024 * 1024

/** Complete lines, one page per chunk that was read or decompressed. */
async function* linesOf(file: string): AsyncGenerator<readonly string[]> {
  const bytes = createReadStream(file, { highWaterMark: pageBytes })
  const source: AsyncIterable<Buffer> = file.endsWith('.gz') ? unpacked(bytes) : bytes
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for await (const chunk of source) {
      const [first = '', ...others] = decoder.decode(chunk, { stream: true }).split('\n')
      const lines = [rest + first, ...others]
      rest = lines.pop() ?? ''
      if (rest.length > longestLine) throw lineTooLong(file)
      if (lines.length > 0) yield lines
    }
  } finally {
    bytes.destroy()
  }
  if (rest !== '') yield [rest]
}

function lineTooLong(file: string): StartupError {
  return new StartupError(
    `${file} has a line of more than ${longestLine / 1024 / 1024} MiB, so it is damaged or no file of 'billing'. Name a file that 'billing' wrote.`,
  )
}

function unpacked(bytes: ReadStream): Gunzip {
  const gunzip = createGunzip({ chunkSize: pageBytes })
  // `pipe` does not forward errors.
  bytes.once('error', (error) => gunzip.destroy(error))
  return bytes.pipe(gunzip)
}

function explain(file: string, error: unknown): unknown {
  const code = errorCode(error) ?? ''
  if (code.startsWith('Z_'))
    return new StartupError(
      `${file} is damaged: it cannot be decompressed. Copy it again from an intact source.`,
    )
  if (typeof error === 'object' && error !== null && 'syscall' in error)
    return new StartupError(
      `${file} cannot be read (${code}). Name a file that exists and that this user may read.`,
    )
  return error
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return null
  }
}
