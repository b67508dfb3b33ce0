import { brand } from '#contracts/brand/brand'
import { escapeMarkup } from '#contracts/escape-markup'
import { fileOfPage, publicPaths, shellFile, type PublicPath } from '#contracts/pages'
import { headOf, headOfShell } from './head.ts'
import { renderPage } from './render-page.tsx'
import { scriptsAfterPaint } from './scripts-after-paint.ts'

/** An entry of vite's manifest: a chunk, its style sheets and its static imports. */
export interface ManifestEntry {
  readonly file: string
  readonly css?: readonly string[]
  readonly imports?: readonly string[]
}

export type Manifest = Readonly<Record<string, ManifestEntry>>

/** The module of a page that is not part of the entry, by its key in the manifest. */
const lazyModules: Readonly<Record<PublicPath, string | null>> = {
  '/': null,
  '/pricing': 'features/pricing/pricing-page.tsx',
  '/privacy-policy': 'features/privacy-policy/privacy-policy-page.tsx',
  '/terms': 'features/terms/terms-page.tsx',
}

/**
 * The HTML files that the server sends: one per public page, and the shell of all other pages.
 * `template` is the index.html that vite built. `read` returns the text of a built file.
 * @throws Error if a page cannot be rendered, or if the template lacks a marker
 */
export async function documents(
  template: string,
  manifest: Manifest,
  read: (file: string) => string,
): Promise<readonly { readonly file: string; readonly html: string }[]> {
  const shell = fill(template, {
    head: headOfShell(),
    links: [],
    body: '',
    noScript: `This page needs JavaScript. Please turn it on and reload the page, or write to ${brand.supportEmail}.`,
  })
  const pages = publicPaths.map(async (path) => {
    const { body, preloads } = await renderPage(path)
    const html = fill(template, {
      head: [headOf(path), preloads].filter(Boolean).join('\n    '),
      links: chunkLinks(path, template, manifest),
      body,
      noScript: `Without JavaScript you can read this page. To log in, to subscribe or to use the form, please turn it on, or write to ${brand.supportEmail}.`,
    })
    return { file: fileOfPage(path), html: stylesInline(scriptsAfterPaint(html), read) }
  })
  return [{ file: shellFile, html: shell }, ...(await Promise.all(pages))]
}

/**
 * Writes the styles into the page, so that the first paint waits for no other file. The security
 * policy allows the elements by their hashes.
 */
function stylesInline(html: string, read: (file: string) => string): string {
  return html.replaceAll(
    /<link rel="stylesheet" crossorigin href="\/([^"]+)">/g,
    (_link, file: string) => {
      const styles = read(file).trim()
      if (styles.includes('</style')) throw new Error(`${file} contains the end of its element.`)
      return `<style data-file="/${file}">${styles}</style>`
    },
  )
}

interface Parts {
  readonly head: string
  /** After those of the entry: the page's styles come last, as when the browser loads them. */
  readonly links: readonly string[]
  readonly body: string
  readonly noScript: string
}

function fill(template: string, { head, links, body, noScript }: Parts): string {
  const parts = {
    '<!--head-->': head,
    '</head>': [...links, '</head>'].join('\n    '),
    '<div id="root"></div>': `<div id="root">${body}</div>`,
    '<!--noscript-->': `<noscript><p class="no-script">${escapeMarkup(noScript)}</p></noscript>`,
  }
  return Object.entries(parts).reduce((html, [marker, part]) => {
    if (!html.includes(marker)) throw new Error(`web/index.html has no ${marker}.`)
    // A function: `$` has a meaning in a replacement text.
    return html.replace(marker, () => part)
  }, template)
}

/** Preloads of the page's code, and its style sheets, without those that the entry has. */
function chunkLinks(path: PublicPath, template: string, manifest: Manifest): string[] {
  const module = lazyModules[path]
  if (module === null) return []
  const files = new Set<string>()
  const visit = (key: string) => {
    const chunk = manifest[key]
    if (!chunk) throw new Error(`The build has no chunk of ${key}.`)
    if (files.has(chunk.file)) return
    for (const file of [chunk.file, ...(chunk.css ?? [])]) files.add(file)
    chunk.imports?.forEach(visit)
  }
  visit(module)
  return [...files]
    .filter((file) => !template.includes(`/${file}"`))
    .flatMap((file) =>
      file.endsWith('.css')
        ? [`<link rel="stylesheet" crossorigin href="/${file}">`, loadedLate(file)]
        : [`<link rel="modulepreload" crossorigin href="/${file}">`],
    )
}

/**
 * The loader of vite waits for the styles of a chunk, unless it finds their link. This one applies
 * to no medium, so that the browser loads it last.
 */
const loadedLate = (file: string) =>
  `<link rel="stylesheet" media="not all" crossorigin href="/${file}">`
