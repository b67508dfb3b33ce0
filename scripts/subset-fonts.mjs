/**
 * Creates fonts from the @fontsource-variable packages. Run it after an upgrade of those packages:
 * `node scripts/subset-fonts.mjs`. Commit the results, so that a build needs neither the packages
 * nor this script.
 *
 * - web/ui/fonts/*.woff2, for the pages: Latin with punctuation, all variation axes unless `axes`
 *   limits them.
 * - services/pdf/fonts/*.ttf, for the PDF of a receipt: one file per weight and
 *   script, because the PDF library embeds no variable woff2.
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

const pdfFonts = `${root}services/pdf/fonts`

/** All letters of the package's file for these scripts; `axes` selects one instance. */
const scripts = [
  { name: 'instrument-sans', variant: 'standard', script: 'latin', weights: [430, 620] },
  { name: 'instrument-sans', variant: 'standard', script: 'latin-ext', weights: [430, 620] },
  { name: 'noto-sans', variant: 'wght', script: 'vietnamese', weights: [430] },
  { name: 'noto-sans', variant: 'wght', script: 'greek', weights: [430] },
  { name: 'noto-sans', variant: 'wght', script: 'cyrillic', weights: [430] },
  { name: 'noto-sans', variant: 'wght', script: 'cyrillic-ext', weights: [430] },
  { name: 'noto-sans', variant: 'wght', script: 'devanagari', weights: [430] },
  { name: 'noto-sans-arabic', variant: 'wght', script: 'arabic', weights: [430] },
  { name: 'noto-sans-hebrew', variant: 'wght', script: 'hebrew', weights: [430] },
  { name: 'noto-sans-thai', variant: 'wght', script: 'thai', weights: [430] },
]

for (const { name, variant, script, weights } of scripts) {
  const home = `${root}node_modules/@fontsource-variable/${name}`
  const ranges = JSON.parse(await readFile(`${home}/unicode.json`, 'utf8'))
  for (const weight of weights) {
    const font = await subsetFont(
      await readFile(`${home}/files/${name}-${script}-${variant}-normal.woff2`),
      charactersOf(ranges[script]),
      {
        targetFormat: 'truetype',
        variationAxes: { wght: weight, ...(variant === 'standard' && { wdth: 100 }) },
      },
    )
    const file = `${name.replace(`-${script}`, '')}-${script}-${weight}.ttf`
    await writeFile(`${pdfFonts}/${file}`, font)
    process.stdout.write(`${file}: ${(font.length / 1000).toFixed(1)} kB\n`)
  }
  await copyFile(`${home}/LICENSE`, `${pdfFonts}/${name}-OFL.txt`)
}

/** The characters of a CSS unicode-range: `U+0000-00FF,U+0131`. */
function charactersOf(unicodeRange) {
  return unicodeRange
    .split(',')
    .map((part) => {
      const [first, last = first] = part
        .trim()
        .replace('U+', '')
        .split('-')
        .map((digits) => parseInt(digits, 16))
      return range(first, last)
    })
    .join('')
}
