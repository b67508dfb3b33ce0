/**
 * Creates web/ui/fonts/*.woff2 from the @fontsource-variable packages: Latin with punctuation, all
 * variation axes unless `axes` limits them. Run it after an upgrade of those packages: `node
 * scripts/subset-fonts.mjs`. Commit the results, so that a build needs neither the packages nor
 * this script.
 */
import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import subsetFont from 'subset-font'

const root = fileURLToPath(new URL('..', import.meta.url))

const range = (first, last) =>
  Array.from({ length: last - first + 1 }, (_, i) => String.fromCodePoint(first + i)).join('')

const ascii = range(0x20, 0x7e)

/**
 * The characters of names and sentences: the letters of Latin-1, dashes, quotes, arrows and the
 * minus sign (U+2212).
 */
const text = ascii + range(0xc0, 0xff) + '\u00a0©®°·×–—‘’“”•…−→←'

const fonts = [
  {
    name: 'instrument-sans',
    file: 'instrument-sans-latin-standard-normal.woff2',
    characters: text,
  },
  {
    name: 'geist-mono',
    file: 'geist-mono-latin-wght-normal.woff2',
    characters: ascii + '…−',
    axes: { wght: { min: 400, max: 600 } },
  },
]

for (const { name, file, characters, axes } of fonts) {
  const home = `${root}node_modules/@fontsource-variable/${name}`
  const subset = await subsetFont(await readFile(`${home}/files/${file}`), characters, {
    targetFormat: 'woff2',
    variationAxes: axes,
  })
  await writeFile(`${root}web/ui/fonts/${name}.woff2`, subset)
  await copyFile(`${home}/LICENSE`, `${root}web/ui/fonts/${name}-OFL.txt`)
  process.stdout.write(`${name}.woff2: ${(subset.length / 1000).toFixed(1)} kB\n`)
}
