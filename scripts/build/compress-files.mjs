import { readdir, readFile, writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/**
 * The types that get smaller. Fonts and pictures are compressed already. The server compresses HTML
 * itself, because it writes PUBLIC_URL into it.
 */
const compressible = new Set(['.css', '.js', '.json', '.svg', '.txt', '.webmanifest'])

const encoders = {
  br: (content) =>
    promisify(brotliCompress)(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    }),
  gz: (content) => promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
}

/**
 * Writes a compressed copy beside each text file below a directory: `app.js.br`, `app.js.gz`. A
 * copy that is not smaller is left out.
 */
export async function compressFiles(directory) {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile() && compressible.has(extname(entry.name)))
    .map((entry) => join(entry.parentPath, entry.name))
  await Promise.all(files.map(compress))
}

async function compress(file) {
  const content = await readFile(file)
  await Promise.all(
    Object.entries(encoders).map(async ([extension, encode]) => {
      const encoded = await encode(content)
      if (encoded.length < content.length) await writeFile(`${file}.${extension}`, encoded)
    }),
  )
}
