import { createReadStream, createWriteStream } from 'node:fs'
import { access, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress } from 'node:zlib'
import { extract, type Headers } from 'tar-fs'

export interface Chromium {
  readonly executablePath: string
  readonly env: Record<string, string>
}

/**
 * The Chromium from an npm package, with the libraries and a font that a minimal machine lacks. It
 * needs no apt and no download. The first call unpacks it into `.cache`, which takes about 5 s. The
 * package's own `executablePath()` and `args` are made for AWS Lambda: one process, no web
 * security.
 */
export async function unpackBundledChromium(): Promise<Chromium> {
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium')
  const packed = join(entry.slice(0, entry.lastIndexOf('build')), 'bin')
  const directory = resolve('.cache/chromium-147')
  if (!(await pathExists(directory))) await unpack(packed, directory)
  return {
    executablePath: join(directory, 'chromium'),
    env: {
      LD_LIBRARY_PATH: [join(directory, 'libraries/lib'), process.env.LD_LIBRARY_PATH]
        .filter(Boolean)
        .join(':'),
      FONTCONFIG_FILE: join(directory, 'fonts.conf'),
    },
  }
}

// If root unpacks the files, tar would keep their owners from the package.
const currentOwner = {
  map: (header: Headers): Headers => ({
    ...header,
    uid: process.getuid?.() ?? 0,
    gid: process.getgid?.() ?? 0,
  }),
}

async function unpack(packed: string, directory: string): Promise<void> {
  await mkdir(dirname(directory), { recursive: true })
  const fresh = await mkdtemp(`${directory}-`)
  await Promise.all([
    pipeline(
      createReadStream(join(packed, 'chromium.br')),
      createBrotliDecompress(),
      createWriteStream(join(fresh, 'chromium'), { mode: 0o755 }),
    ),
    pipeline(
      createReadStream(join(packed, 'al2023.tar.br')),
      createBrotliDecompress(),
      extract(join(fresh, 'libraries'), currentOwner),
    ),
    pipeline(
      createReadStream(join(packed, 'fonts.tar.br')),
      createBrotliDecompress(),
      extract(join(fresh, 'fonts'), currentOwner),
    ),
  ])
  await writeFile(join(fresh, 'fonts.conf'), fontsConfiguration(directory))
  try {
    await rename(fresh, directory)
  } catch (error) {
    await rm(fresh, { recursive: true, force: true })
    // Another test file may have unpacked it in the meantime.
    if (!(await pathExists(directory))) throw error
  }
}

const fontsConfiguration = (directory: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${directory}/fonts</dir>
  <dir>/usr/share/fonts</dir>
  <cachedir>${directory}/font-cache</cachedir>
</fontconfig>
`

const pathExists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )
