import { Unzip, UnzipInflate, unzipSync } from 'fflate'
import { FileRefusal } from './file-refusal.ts'
import { maxUnpackedBytes, megabytes } from './limits.ts'

export const unreadableWorkbook =
  'The workbook cannot be read. Open it in a spreadsheet program and save it again, or save the sheet as CSV.'

/** The files of a workbook by their path, such as `xl/workbook.xml`. */
export type Parts = ReadonlyMap<string, Uint8Array<ArrayBuffer>>

/** Bytes of the ZIP file at a time. Deflate packs a thousand times at most: 16 MB at a time. */
const chunkBytes = 16_384

/**
 * The wanted files of a ZIP file. Their stated sizes are checked before anything is unpacked, and
 * what is really unpacked is counted: a ZIP file can state wrong sizes.
 */
export function unpackParts(bytes: Uint8Array, isWanted: (path: string) => boolean): Parts {
  try {
    refuseLargeContents(statedSize(bytes, isWanted))
    return unpacked(bytes, isWanted)
  } catch (error) {
    if (error instanceof FileRefusal) throw error
    // fflate describes what is wrong with the ZIP file, which helps no merchant.
    throw new FileRefusal(unreadableWorkbook)
  }
}

/** From the directory at the end of the file, without unpacking. */
function statedSize(bytes: Uint8Array, isWanted: (path: string) => boolean): number {
  let size = 0
  unzipSync(bytes, {
    filter: ({ name, originalSize }) => {
      if (isWanted(name)) size += originalSize
      return false
    },
  })
  return size
}

function unpacked(bytes: Uint8Array, isWanted: (path: string) => boolean): Parts {
  const chunks = new Map<string, Uint8Array[]>()
  let size = 0
  const zip = new Unzip((file) => {
    if (!isWanted(file.name)) return
    const ofFile: Uint8Array[] = []
    chunks.set(file.name, ofFile)
    file.ondata = (error, chunk) => {
      if (error !== null) throw error
      size += chunk.length
      refuseLargeContents(size)
      ofFile.push(chunk)
    }
    file.start()
  })
  zip.register(UnzipInflate)
  for (let start = 0; start < bytes.length; start += chunkBytes)
    zip.push(bytes.subarray(start, start + chunkBytes), start + chunkBytes >= bytes.length)
  return new Map([...chunks].map(([path, ofFile]) => [path, joined(ofFile)]))
}

function refuseLargeContents(size: number): void {
  if (size > maxUnpackedBytes)
    throw new FileRefusal(
      `The sheets of the workbook have more than ${megabytes(maxUnpackedBytes)} when they are unpacked. Save the sheet with the invoices alone, or as CSV.`,
    )
}

function joined(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0))
  let end = 0
  for (const chunk of chunks) {
    whole.set(chunk, end)
    end += chunk.length
  }
  return whole
}
