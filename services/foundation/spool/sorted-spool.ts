import { createReadStream } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { errorCode } from '../error-code.ts'
import { StartupError } from '../startup-error.ts'
import { appendValue, mergeSorted, type Combine, type Entry } from './merge-sorted.ts'

/**
 * Collects values by key and returns them sorted by key, in constant memory: an external merge sort
 * in temporary files.
 */
export interface SortedSpool<Value> {
  add(key: string, value: Value): void
  /**
   * Writes the values to a file if the memory is full. Call it after each page of values.
   * @throws StartupError if the disk is full
   */
  writeIfFull(): Promise<void>
  /**
   * Every key once, ordered by UTF-16 code units, with its values in the order in which they were
   * added. May be called several times.
   */
  sorted(): AsyncGenerator<Entry<Value>>
  /** Removes the temporary files. */
  remove(): Promise<void>
}

export interface SpoolOptions<Value> {
  readonly combine: Combine<Value>
  /** The number of values that stay in memory. */
  readonly capacity?: number
  /** Default: the system's directory for temporary files, which TMPDIR sets. */
  readonly directory?: string
}

/** The number of files of a level that are merged into one file of the next level. */
const fanIn = 32
const pageSize = 1_000

/** `Value` is written as JSON. */
export function createSortedSpool<Value>({
  combine,
  capacity = 50_000,
  directory = tmpdir(),
}: SpoolOptions<Value>): SortedSpool<Value> {
  let memory = new Map<string, Value[]>()
  let size = 0
  let own: string | null = null
  let written = 0
  /** The sorted files, oldest first in each level. A higher level is older than a lower one. */
  const levels: string[][] = []

  const inMemory = () =>
    [...memory.keys()].toSorted().map((key) => ({ key, values: memory.get(key) ?? [] }))

  async function write(pages: AsyncIterable<readonly Entry<Value>[]>): Promise<string> {
    try {
      own ??= await mkdtemp(join(directory, 'billing-spool-'))
      written += 1
      const path = join(own, String(written))
      const file = await open(path, 'wx', 0o600)
      try {
        for await (const page of pages)
          await file.write(
            page.map(({ key, values }) => `${JSON.stringify([key, ...values])}\n`).join(''),
          )
      } finally {
        await file.close()
      }
      return path
    } catch (error) {
      throw explain(error, directory)
    }
  }

  async function addFile(path: string, level: number): Promise<void> {
    const files = (levels[level] ??= [])
    files.push(path)
    if (files.length < fanIn) return
    const merged = await write(inPages(mergeSorted(files.map(readFile<Value>), combine)))
    for (const file of files) await rm(file)
    levels[level] = []
    await addFile(merged, level + 1)
  }

  return {
    add(key, value) {
      let values = memory.get(key)
      if (values === undefined) memory.set(key, (values = []))
      const before = values.length
      appendValue(values, value, combine)
      size += values.length - before
    },
    async writeIfFull() {
      if (size < capacity) return
      const path = await write(pagesOf(inMemory()))
      memory = new Map()
      size = 0
      await addFile(path, 0)
    },
    sorted: () =>
      mergeSorted(
        [
          ...levels
            .toReversed()
            .flat()
            .map(readFile<Value>),
          pagesOf(inMemory()),
        ],
        combine,
      ),
    async remove() {
      memory = new Map()
      if (own !== null) await rm(own, { recursive: true, force: true })
    },
  }
}

async function* pagesOf<Value>(
  entries: readonly Entry<Value>[],
): AsyncGenerator<readonly Entry<Value>[]> {
  for (let from = 0; from < entries.length; from += pageSize)
    yield entries.slice(from, from + pageSize)
}

async function* inPages<Value>(
  entries: AsyncIterable<Entry<Value>>,
): AsyncGenerator<readonly Entry<Value>[]> {
  let page: Entry<Value>[] = []
  for await (const entry of entries) {
    page.push(entry)
    if (page.length < pageSize) continue
    yield page
    page = []
  }
  yield page
}

/** The entries of a file that `write` wrote, one page per chunk that was read. */
async function* readFile<Value>(path: string): AsyncGenerator<readonly Entry<Value>[]> {
  const decoder = new TextDecoder()
  let rest = ''
  const chunks: AsyncIterable<Buffer> = createReadStream(path)
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield lines.map((line) => {
      const [key, ...values] = JSON.parse(line) as [string, ...Value[]]
      return { key, values }
    })
  }
}

function explain(error: unknown, directory: string): unknown {
  const code = errorCode(error) ?? ''
  if (code === 'ENOSPC' || code === 'EDQUOT')
    return new StartupError(
      `The disk that holds the temporary files in ${directory} is full: free some space, or set TMPDIR to a directory on another disk.`,
    )
  if (['EACCES', 'EROFS', 'ENOENT', 'ENOTDIR', 'EPERM'].includes(code))
    return new StartupError(
      `Temporary files cannot be written in ${directory} (${code}): set TMPDIR to a directory that this user can write.`,
    )
  return error
}
