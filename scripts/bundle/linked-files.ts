/** The files that a page needs before it is complete, whether it links or contains them. */
export interface LinkedFiles {
  readonly scripts: readonly string[]
  readonly styles: readonly string[]
  /** The pictures that are loaded at once, in the size that a phone selects. */
  readonly pictures: readonly string[]
}

/** A phone of 412 CSS pixels at a density of 3. */
const phonePixels = 1236

/** Reads the links of a prerendered page. Paths have no slash at their start. */
export function linkedFiles(html: string): LinkedFiles {
  return {
    scripts: addresses(
      html,
      /<script[^>]+src="\/([^"]+\.js)"|rel="modulepreload"[^>]*href="\/([^"]+)"/g,
    ),
    styles: addresses(html, /rel="stylesheet"[^>]*href="\/([^"]+)"|<style data-file="\/([^"]+)"/g),
    pictures: [...withoutLazy(html).matchAll(/<picture[^>]*>.*?<\/picture>|<img[^>]*>/gs)].flatMap(
      ([picture]) => pictureOf(picture),
    ),
  }
}

function addresses(html: string, pattern: RegExp): string[] {
  return [...html.matchAll(pattern)].flatMap(([, ...groups]) => groups.filter(Boolean))
}

/** A picture below the first screen is loaded when the visitor scrolls to it. */
function withoutLazy(html: string): string {
  return html.replaceAll(/<picture[^>]*>.*?<\/picture>|<img[^>]*>/gs, (picture) =>
    /loading="lazy"/.test(picture) ? '' : picture,
  )
}

/** The first `srcset` is of the best format. A phone takes the smallest file that is enough. */
function pictureOf(picture: string): string[] {
  const set = /srcset="([^"]+)"/i.exec(picture)?.[1]
  if (set === undefined) return addresses(picture, /src="\/([^"]+)"/g)
  const candidates = set
    .split(',')
    .map((candidate) => /\/(\S+)\s+(\d+)w/.exec(candidate.trim()))
    .flatMap((match) => (match ? [{ file: match[1] ?? '', width: Number(match[2]) }] : []))
    .sort((a, b) => a.width - b.width)
  const chosen = candidates.find(({ width }) => width >= phonePixels) ?? candidates.at(-1)
  return chosen ? [chosen.file] : []
}
