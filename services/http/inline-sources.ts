import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const elements = {
  scripts: /<script\b([^>]*)>([\s\S]*?)<\/script>/gi,
  styles: /<style\b([^>]*)>([\s\S]*?)<\/style>/gi,
} as const
const hasAddress = /\ssrc\s*=/i
/** JSON-LD and other data. A browser does not run it, so the policy does not apply to it. */
const isData = /\stype\s*=\s*["']?[\w.-]+\/(?:[\w.-]+\+)?json\b/i

/** Sources of a content security policy: `'sha256-…'`, sorted, each once. */
export interface InlineSources {
  readonly scripts: readonly string[]
  readonly styles: readonly string[]
}

/**
 * The inline scripts and style elements of the built pages. Reads every `.html` file below
 * `webRoot`, so that the policy always fits the pages of this build.
 */
export function inlineSources(webRoot: string): InlineSources {
  const pages = readdirSync(webRoot, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.html'))
    .map((file) => readFileSync(join(webRoot, file), 'utf8'))
  const sourcesOf = (element: RegExp) => {
    const sources = pages
      .flatMap((html) => [...html.matchAll(element)])
      .filter(([, attributes = '']) => !hasAddress.test(attributes) && !isData.test(attributes))
      .map(([, , content = '']) => `'sha256-${hashOf(content)}'`)
    return [...new Set(sources)].sort()
  }
  return { scripts: sourcesOf(elements.scripts), styles: sourcesOf(elements.styles) }
}

/** A browser hashes the text after it has replaced the line ends. */
const hashOf = (content: string) =>
  createHash('sha256').update(content.replaceAll(/\r\n?/g, '\n')).digest('base64')
